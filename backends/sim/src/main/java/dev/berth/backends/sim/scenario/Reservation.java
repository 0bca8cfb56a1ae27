package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;

/** Machines that were reserved before, and are no part of the stock. */
public record Reservation(
    @Setting(value = "The provider's id for it.", example = "reserved-a100") String id,
    @Setting("The instance type.") String instanceType,
    @Setting("The zone.") String zone,
    @Setting(value = "How many there are.", fallback = "1", least = 1) int count) {}
