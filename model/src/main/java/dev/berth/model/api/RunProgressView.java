package dev.berth.model.api;

import java.util.List;

/**
 * How far the start of a run is.
 *
 * @param run its name
 * @param status how it is
 * @param jobs those of its jobs that have a place and do not run yet, or of which nobody knows
 *     whether they do
 * @param warnings what its jobs had to do without, each sentence once, also of those that run or
 *     have ended
 */
public record RunProgressView(
    String run, String status, List<JobProgressView> jobs, List<String> warnings) {}
