package dev.berth.model.api;

import java.util.List;

/** Events in their order; ask after next for the following ones. */
public record EventList(List<EventView> events, long next) {}
