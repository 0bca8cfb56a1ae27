package dev.berth.decisions;

import dev.berth.model.ActionOutcome;
import dev.berth.model.Resource;
import dev.berth.model.Sight;
import java.time.Instant;

/** What the life of something at a provider means for whoever it is for. */
final class Owners {
  private Owners() {}

  private static boolean isGroup(Resource resource) {
    return resource.type() == Resource.Type.PLACEMENT_GROUP && !resource.ownerId().isEmpty();
  }

  /** Whether what it is for is still asked for. */
  static boolean want(Draft draft, Resource resource) {
    return isGroup(resource)
        ? Neighbourhoods.isWanted(draft, resource)
        : InstanceLife.isWanted(draft, resource);
  }

  /** The provider has made it. */
  static void made(Draft draft, Resource resource) {
    // A group is of use when it is seen to be ready.
    if (!isGroup(resource)) {
      InstanceLife.made(draft, resource.ownerId());
    }
  }

  /** What the provider shows of it. */
  static void sighted(Draft draft, Resource resource, Sight sight, Instant now) {
    if (isGroup(resource)) {
      Neighbourhoods.sighted(draft, resource, sight, now);
    } else {
      InstanceLife.sighted(draft, resource.ownerId(), sight, now);
    }
  }

  /** The provider will not make it. */
  static void refused(Draft draft, Resource resource, ActionOutcome.Failed failed, Instant now) {
    if (isGroup(resource)) {
      Neighbourhoods.refuse(draft, resource, failed, now);
    } else {
      InstanceLife.refuse(draft, resource.ownerId(), failed, now);
    }
  }

  /** Nothing of it is left. */
  static void gone(Draft draft, Resource resource, Instant now) {
    if (isGroup(resource)) {
      Neighbourhoods.gone(draft, resource, now);
    } else {
      InstanceLife.gone(draft, resource.ownerId(), now);
    }
  }
}
