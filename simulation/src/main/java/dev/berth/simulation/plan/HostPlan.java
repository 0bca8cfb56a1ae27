package dev.berth.simulation.plan;

/**
 * A machine that is there by itself.
 *
 * @param failures how often a call to it fails, before or after it took effect
 * @param losses how often a job's runner dies and leaves its processes behind
 */
public record HostPlan(
    String name, int slots, int cpus, long seed, double failures, double losses) {}
