package dev.berth.grammar;

import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.RunConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Joins a run's file with a profile: the file wins, field by field. A limit or a retry that the
 * file turns off is written, so it wins, too.
 */
public final class ProfileMerge {
  private ProfileMerge() {}

  /**
   * The run with what the profile says where the file says nothing.
   *
   * @param run as it was written, without defaults
   */
  public static RunConfiguration merge(RunConfiguration run, ProfileParams profile) {
    return run.with(merge(run.profile(), profile));
  }

  static ProfileParams merge(ProfileParams file, ProfileParams profile) {
    return new ProfileParams(
        first(file.backends(), profile.backends()),
        first(file.regions(), profile.regions()),
        first(file.availabilityZones(), profile.availabilityZones()),
        first(file.instanceTypes(), profile.instanceTypes()),
        first(file.reservation(), profile.reservation()),
        first(file.spotPolicy(), profile.spotPolicy()),
        first(file.retry(), profile.retry()),
        first(file.maxDuration(), profile.maxDuration()),
        first(file.stopDuration(), profile.stopDuration()),
        first(file.maxPrice(), profile.maxPrice()),
        first(file.creationPolicy(), profile.creationPolicy()),
        first(file.idleDuration(), profile.idleDuration()),
        first(file.utilizationPolicy(), profile.utilizationPolicy()),
        first(file.startupOrder(), profile.startupOrder()),
        first(file.stopCriteria(), profile.stopCriteria()),
        first(file.schedule(), profile.schedule()),
        first(file.fleets(), profile.fleets()),
        first(file.instances(), profile.instances()),
        first(file.tags(), profile.tags()),
        first(file.backendOptions(), profile.backendOptions()));
  }

  private static <T> @Nullable T first(@Nullable T own, @Nullable T other) {
    return own == null ? other : own;
  }
}
