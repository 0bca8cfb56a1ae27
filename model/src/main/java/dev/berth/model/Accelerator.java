package dev.berth.model;

/** An accelerator of a machine: a GPU, TPU or the like. */
public record Accelerator(String id, String vendor, String name, long memoryMib) {}
