package dev.berth.spi;

import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceType;
import dev.berth.model.offers.CatalogItem;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A wish for one resource. It is written down before the provider is asked, and a repeated call
 * asks for the same to the byte.
 */
public sealed interface CreateRequest {
  /** What must survive at the provider, the key among them. */
  Marks marks();

  /**
   * What people want to see at the provider: labels of users, and those of {@link
   * dev.berth.model.Labels}. A provider without room for them keeps none.
   */
  Map<String, String> labels();

  /**
   * What it is known by: lower case letters of English, digits and {@code -}, with a letter first;
   * usually 22 to 30 characters. Never given to another resource.
   */
  default String key() {
    return marks().key();
  }

  /** Marks and labels as tags, for providers that have them. No label can hide a mark. */
  default Map<String, String> tags() {
    Map<String, String> all = new TreeMap<>(labels());
    all.putAll(marks().tags());
    return Collections.unmodifiableMap(all);
  }

  /** In one order in every process, so that a repeated call sends them alike. */
  private static Map<String, String> sorted(Map<String, String> labels) {
    return Collections.unmodifiableMap(new TreeMap<>(labels));
  }

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
   * @param boot what the machine does first, in the form and within the size of {@link
   *     Compute#bootWay}; empty for nothing
   * @param sshKeys public keys that let us in, {@link BackendContext#sshKey} among them
   * @param volumes that are attached before it is ready; in the zone of the place
   */
  record Machine(
      Marks marks,
      Map<String, String> labels,
      Place place,
      CatalogItem offer,
      @Nullable Long diskMib,
      String boot,
      List<String> sshKeys,
      List<ResourceRef> volumes,
      @Nullable ResourceRef placementGroup)
      implements CreateRequest {
    public Machine {
      labels = sorted(labels);
      sshKeys = List.copyOf(sshKeys);
      volumes = List.copyOf(volumes);
    }

    @Override
    public ResourceType type() {
      return ResourceType.INSTANCE;
    }
  }

  /** Several jobs on machines of one place, started as one: all of them, or none. */
  record Group(Marks marks, Map<String, String> labels, Place place, List<JobRequest> jobs)
      implements CreateRequest {
    public Group {
      labels = sorted(labels);
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
  record Volume(
      Marks marks, Map<String, String> labels, String region, @Nullable String zone, long sizeMib)
      implements CreateRequest {
    public Volume {
      labels = sorted(labels);
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
  record PlacementGroup(Marks marks, Map<String, String> labels, Place place)
      implements CreateRequest {
    public PlacementGroup {
      labels = sorted(labels);
    }

    @Override
    public ResourceType type() {
      return ResourceType.PLACEMENT_GROUP;
    }
  }

  /**
   * A machine that receives the traffic of services.
   *
   * @param instanceType the provider's name for the machine; null for the backend's usual one
   * @param publicAddress whether it can be reached from the internet
   * @param boot what the machine does first, as for {@link Machine}
   * @param sshKeys public keys that let us in, {@link BackendContext#sshKey} among them
   */
  record Gateway(
      Marks marks,
      Map<String, String> labels,
      String region,
      @Nullable String instanceType,
      boolean publicAddress,
      String boot,
      List<String> sshKeys)
      implements CreateRequest {
    public Gateway {
      labels = sorted(labels);
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
  record LoadBalancer(
      Marks marks, Map<String, String> labels, String region, @Nullable String certificate)
      implements CreateRequest {
    public LoadBalancer {
      labels = sorted(labels);
    }

    @Override
    public ResourceType type() {
      return ResourceType.LOAD_BALANCER;
    }
  }
}
