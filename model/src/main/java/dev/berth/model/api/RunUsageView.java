package dev.berth.model.api;

import java.util.List;

/**
 * What a run uses.
 *
 * @param run its name
 * @param status how it is
 * @param jobs those of its jobs that run
 */
public record RunUsageView(String run, String status, List<JobUsageView> jobs) {}
