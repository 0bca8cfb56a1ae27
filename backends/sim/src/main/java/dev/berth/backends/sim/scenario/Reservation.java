package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;

/** Machines that were reserved before, and are no part of the stock. */
public record Reservation(
    @Setting(value = "The provider's id of the reservation.", example = "reserved-a100") String id,
    @Setting("The instance type.") String instanceType,
    @Setting("The zone.") String zone,
    @Setting(value = "The number of reserved machines.", fallback = "1", least = 1) int count) {}
