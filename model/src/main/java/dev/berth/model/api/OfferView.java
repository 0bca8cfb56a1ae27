package dev.berth.model.api;

import java.util.List;

/** A place that could be had. */
public record OfferView(
    String backend,
    String region,
    String instanceType,
    int cpus,
    long memoryMib,
    long diskMib,
    List<String> gpus,
    boolean spot,
    double price,
    String availability) {}
