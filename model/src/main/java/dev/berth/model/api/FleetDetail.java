package dev.berth.model.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A fleet with its configuration and its machines. */
public record FleetDetail(
    FleetView fleet, Map<String, @Nullable Object> configuration, List<InstanceView> instances) {}
