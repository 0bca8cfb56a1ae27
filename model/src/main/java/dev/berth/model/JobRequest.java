package dev.berth.model;

/** All that a backend needs to start one attempt. */
public record JobRequest(String attemptId, JobSpec spec, ResourceVector share) {}
