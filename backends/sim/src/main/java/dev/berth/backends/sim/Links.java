package dev.berth.backends.sim;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a thing has to do with others.
 *
 * @param members the jobs of a group, or the gateways behind a load balancer
 * @param placementGroup of a machine
 * @param attachedTo the machine or container job that a volume is attached to
 * @param device the volume's name there
 * @param detachedAt when it is detached, where that was asked for
 */
record Links(
    List<String> members,
    @Nullable String placementGroup,
    @Nullable String attachedTo,
    @Nullable String device,
    @Nullable Instant detachedAt) {
  static final Links NONE = new Links(List.of(), null, null, null, null);

  Links {
    members = List.copyOf(members);
  }

  Links with(List<String> newMembers) {
    return new Links(newMembers, placementGroup, attachedTo, device, detachedAt);
  }

  Links in(@Nullable String group) {
    return new Links(members, group, attachedTo, device, detachedAt);
  }

  Links attached(String machine, String newDevice) {
    return new Links(members, placementGroup, machine, newDevice, null);
  }

  Links detached(Instant at) {
    return new Links(members, placementGroup, attachedTo, device, at);
  }
}
