package dev.berth.model.api;

import java.util.List;

/** The fleets of a project, the newest first. */
public record FleetList(List<FleetView> fleets) {}
