package dev.berth.planning.policy;

import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TimeLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills what a configuration leaves out with what somebody else says, and notes what that was. */
final class ProfileDefaults {
  private final List<String> filled = new ArrayList<>();

  /** The fields that were filled, by their names in files. */
  List<String> filled() {
    return List.copyOf(filled);
  }

  /** What {@code own} says, and what {@code others} say where it says nothing. */
  ProfileParams fill(ProfileParams own, ProfileParams others) {
    return new ProfileParams(
        first("backends", own.backends(), others.backends()),
        first("regions", own.regions(), others.regions()),
        first("availability_zones", own.availabilityZones(), others.availabilityZones()),
        first("instance_types", own.instanceTypes(), others.instanceTypes()),
        first("reservation", own.reservation(), others.reservation()),
        first("spot_policy", own.spotPolicy(), others.spotPolicy()),
        first("retry", own.retry(), others.retry()),
        first("max_duration", own.maxDuration(), others.maxDuration()),
        first("stop_duration", own.stopDuration(), others.stopDuration()),
        first("max_price", own.maxPrice(), others.maxPrice()),
        first("creation_policy", own.creationPolicy(), others.creationPolicy()),
        first("idle_duration", own.idleDuration(), others.idleDuration()),
        first("utilization_policy", own.utilizationPolicy(), others.utilizationPolicy()),
        first("startup_order", own.startupOrder(), others.startupOrder()),
        first("stop_criteria", own.stopCriteria(), others.stopCriteria()),
        first("schedule", own.schedule(), others.schedule()),
        first("fleets", own.fleets(), others.fleets()),
        first("instances", own.instances(), others.instances()),
        tags(own.tags(), others.tags()),
        first("backend_options", own.backendOptions(), others.backendOptions()));
  }

  private <T> @Nullable T first(String name, @Nullable T own, @Nullable T other) {
    if (own == null && other != null) {
      filled.add(name);
    }
    return own == null ? other : own;
  }

  /** Each tag is a field of its own. */
  private @Nullable Map<String, String> tags(
      @Nullable Map<String, String> own, @Nullable Map<String, String> others) {
    if (own == null || others == null) {
      return first("tags", own, others);
    }
    Map<String, String> both = new LinkedHashMap<>(others);
    both.putAll(own);
    if (both.size() > own.size()) {
      filled.add("tags");
    }
    return both;
  }

  /** One that says nothing but this. */
  static ProfileParams only(
      @Nullable SpotPolicy spotPolicy, @Nullable TimeLimit maxDuration, @Nullable Double maxPrice) {
    return new ProfileParams(
        null,
        null,
        null,
        null,
        null,
        spotPolicy,
        null,
        maxDuration,
        null,
        maxPrice,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
