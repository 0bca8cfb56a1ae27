package dev.berth.decisions;

import dev.berth.model.ActionOutcome;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import java.time.Instant;

/** What the life of something at a provider means for whoever it is for. */
enum ResourceOwner {
  INSTANCE {
    @Override
    boolean wants(Draft draft, Resource resource) {
      return InstanceLife.isWanted(draft, resource);
    }

    @Override
    void made(Draft draft, Resource resource) {
      InstanceLife.made(draft, resource.ownerId());
    }

    @Override
    void observed(Draft draft, Resource resource, ResourceObservation observation, Instant now) {
      InstanceLife.observed(draft, resource.ownerId(), observation, now);
    }

    @Override
    void refused(Draft draft, Resource resource, ActionOutcome.Failed failed, Instant now) {
      InstanceLife.refuse(draft, resource.ownerId(), failed, now);
    }

    @Override
    void gone(Draft draft, Resource resource, Instant now) {
      InstanceLife.gone(draft, resource.ownerId(), now);
    }
  },
  PLACEMENT_GROUP {
    @Override
    boolean wants(Draft draft, Resource resource) {
      return PlacementGroupLife.isWanted(draft, resource);
    }

    @Override
    void made(Draft draft, Resource resource) {
      // A group is of use when it is seen to be ready.
    }

    @Override
    void observed(Draft draft, Resource resource, ResourceObservation observation, Instant now) {
      PlacementGroupLife.observed(draft, resource, observation, now);
    }

    @Override
    void refused(Draft draft, Resource resource, ActionOutcome.Failed failed, Instant now) {
      PlacementGroupLife.refuse(draft, resource, failed, now);
    }

    @Override
    void gone(Draft draft, Resource resource, Instant now) {
      PlacementGroupLife.gone(draft, resource, now);
    }
  },
  /** Of what nobody knows, or nobody wants any more: it is only to go. */
  NOBODY {
    @Override
    boolean wants(Draft draft, Resource resource) {
      return false;
    }

    @Override
    void made(Draft draft, Resource resource) {}

    @Override
    void observed(Draft draft, Resource resource, ResourceObservation observation, Instant now) {}

    @Override
    void refused(Draft draft, Resource resource, ActionOutcome.Failed failed, Instant now) {}

    @Override
    void gone(Draft draft, Resource resource, Instant now) {}
  };

  /** Who a resource is for; a new kind of resource needs a line here. */
  static ResourceOwner of(Resource resource) {
    if (resource.ownerId().isEmpty()) {
      return NOBODY;
    }
    return switch (resource.type()) {
      case INSTANCE -> INSTANCE;
      case PLACEMENT_GROUP -> PLACEMENT_GROUP;
      case JOB -> throw new IllegalArgumentException("a job is of its attempt: " + resource.id());
      case GROUP, VOLUME, DISK, ADDRESS, KEY, GATEWAY, LOAD_BALANCER ->
          throw new IllegalArgumentException(
              "Berth orders no " + resource.type().word() + ": " + resource.id());
    };
  }

  /** Whether it is still asked for. */
  abstract boolean wants(Draft draft, Resource resource);

  /** The provider has made it. */
  abstract void made(Draft draft, Resource resource);

  /** What the provider shows of it. */
  abstract void observed(
      Draft draft, Resource resource, ResourceObservation observation, Instant now);

  /** The provider will not make it. */
  abstract void refused(Draft draft, Resource resource, ActionOutcome.Failed failed, Instant now);

  /** Nothing of it is left. */
  abstract void gone(Draft draft, Resource resource, Instant now);
}
