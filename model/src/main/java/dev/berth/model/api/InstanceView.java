package dev.berth.model.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine of a fleet.
 *
 * @param number its number in the fleet
 * @param gpus the model of each accelerator
 * @param price in US dollars an hour, for the whole machine
 * @param blocks into how many parts it is cut
 * @param busyBlocks how many of them are in use
 * @param attempts ids of the attempts that use it
 * @param address where it can be reached, once it is ready
 * @param reason why it is given back
 */
public record InstanceView(
    String id,
    int number,
    String name,
    String status,
    String backend,
    String region,
    @Nullable String zone,
    String instanceType,
    int cpus,
    long memoryMib,
    List<String> gpus,
    boolean spot,
    double price,
    int blocks,
    int busyBlocks,
    List<String> attempts,
    @Nullable String address,
    @Nullable String reason,
    @Nullable String message,
    Instant createdAt,
    @Nullable Instant idleSince) {}
