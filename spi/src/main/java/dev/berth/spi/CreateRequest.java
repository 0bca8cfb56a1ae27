package dev.berth.spi;

import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceType;
import dev.berth.model.offers.CatalogItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wish for one resource. The key is written down before the provider is asked, is its name or
 * mark there, and is never used for another one.
 */
public sealed interface CreateRequest {
  /**
   * Our name for the resource: lower case letters of English, digits and {@code -}, with a letter
   * first. Usually 22 to 30 characters, and never more than 48.
   */
  String key();

  Tags tags();

  /** What is asked for. */
  ResourceType type();

  /** Refuses what a backend has not. Every {@link Provisioner#create} begins with it. */
  default void requireOnly(Traits traits) {
    switch (this) {
      case Machine machine -> {
        requirePlace(machine.place(), traits);
        if (!machine.volumes().isEmpty()) {
          traits.require(Trait.VOLUMES);
        }
        if (machine.placementGroup() != null) {
          traits.require(Trait.PLACEMENT_GROUPS);
        }
      }
      case Group group -> {
        traits.require(Trait.GROUPS);
        if (group.jobs().size() > 1) {
          traits.require(Trait.MULTI_NODE);
        }
        requirePlace(group.place(), traits);
        group.jobs().forEach(job -> JobRuntime.requireOnly(job, traits));
      }
      case Volume _ -> traits.require(Trait.VOLUMES);
      case PlacementGroup _ -> traits.require(Trait.PLACEMENT_GROUPS);
      case Gateway gateway -> {
        traits.require(Trait.GATEWAYS);
        if (!gateway.publicAddress()) {
          traits.require(Trait.PRIVATE_GATEWAYS);
        }
      }
      case LoadBalancer _ -> traits.require(Trait.GATEWAY_LOAD_BALANCERS);
    }
  }

  private static void requirePlace(Place place, Traits traits) {
    if (place.spot()) {
      traits.require(Trait.SPOT);
    }
    if (place.reservation() != null) {
      traits.require(Trait.RESERVATIONS);
    }
  }

  /**
   * A machine. All of it is pinned when the machine is ordered: a request that is repeated, by this
   * server or by the one after it, is equal to the first.
   *
   * @param offer what is bought, whole, as the backend told it; the place says where. Its disk is
   *     the chosen one where there was a choice, and its price contains that of the disk
   * @param diskMib the size of its disk, where the offer does not say it: within {@link
   *     Compute#disk} where the backend states that; null for what the offer comes with, or the
   *     provider's usual size
   * @param boot what the machine does first: cloud-init's user data
   * @param sshKeys public keys that let us in
   * @param volumes that are attached before it is ready; in the zone of the place
   */
  record Machine(
      String key,
      Tags tags,
      Place place,
      CatalogItem offer,
      @Nullable Long diskMib,
      String boot,
      List<String> sshKeys,
      List<ResourceRef> volumes,
      @Nullable ResourceRef placementGroup)
      implements CreateRequest {
    public Machine {
      sshKeys = List.copyOf(sshKeys);
      volumes = List.copyOf(volumes);
    }

    @Override
    public ResourceType type() {
      return ResourceType.INSTANCE;
    }
  }

  /** Several jobs on machines of one place, started as one: all of them, or none. */
  record Group(String key, Tags tags, Place place, List<JobRequest> jobs) implements CreateRequest {
    public Group {
      jobs = List.copyOf(jobs);
      if (jobs.isEmpty()) {
        throw new IllegalArgumentException("a group has members");
      }
    }

    @Override
    public ResourceType type() {
      return ResourceType.GROUP;
    }
  }

  /**
   * A network volume.
   *
   * @param zone null where the provider chooses
   */
  record Volume(String key, Tags tags, String region, @Nullable String zone, long sizeMib)
      implements CreateRequest {
    public Volume {
      if (sizeMib < 1) {
        throw new IllegalArgumentException("a volume has a size");
      }
    }

    @Override
    public ResourceType type() {
      return ResourceType.VOLUME;
    }
  }

  /** A promise that machines are near each other. */
  record PlacementGroup(String key, Tags tags, Place place) implements CreateRequest {
    @Override
    public ResourceType type() {
      return ResourceType.PLACEMENT_GROUP;
    }
  }

  /**
   * A machine that receives the traffic of services.
   *
   * @param publicAddress whether it can be reached from the internet
   */
  record Gateway(
      String key,
      Tags tags,
      String region,
      boolean publicAddress,
      String boot,
      List<String> sshKeys)
      implements CreateRequest {
    public Gateway {
      sshKeys = List.copyOf(sshKeys);
    }

    @Override
    public ResourceType type() {
      return ResourceType.GATEWAY;
    }
  }

  /**
   * A load balancer before gateways.
   *
   * @param certificate the provider's id of the certificate that it shows; null for none
   */
  record LoadBalancer(String key, Tags tags, String region, @Nullable String certificate)
      implements CreateRequest {
    @Override
    public ResourceType type() {
      return ResourceType.LOAD_BALANCER;
    }
  }
}
