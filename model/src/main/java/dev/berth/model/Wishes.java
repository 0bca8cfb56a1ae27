package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a replica may be placed.
 *
 * @param project whose backends may be used, besides those that are for all; null for everybody's
 * @param backends names or types of those that may be used; empty for all
 * @param filter what an offer must have
 * @param container what runs there; without secrets, which are put in when the call is made
 * @param machines which machines that are there may be used, and what becomes of new ones
 * @param bounds what the server's policies said when this was accepted
 * @param containerOnly whether plain processes cannot do it for another reason than that the
 *     container is privileged; null in bodies of before
 */
public record Wishes(
    @Nullable String project,
    List<String> backends,
    OfferFilter filter,
    @Nullable Container container,
    Machines machines,
    List<PolicyBound> bounds,
    @Nullable Boolean containerOnly) {
  public Wishes {
    backends = List.copyOf(backends);
    // Bodies of before there were policies have none.
    bounds = bounds == null ? List.of() : List.copyOf(bounds);
  }

  /** With no policy to keep to. */
  public Wishes(
      List<String> backends, OfferFilter filter, @Nullable Container container, Machines machines) {
    this(null, backends, filter, container, machines, List.of(), null);
  }

  /** With nothing to say about machines. */
  public Wishes(List<String> backends, OfferFilter filter, @Nullable Container container) {
    this(backends, filter, container, Machines.USUAL);
  }

  /**
   * What is asked of machines besides what they have.
   *
   * @param reuseOnly whether nothing may be bought
   * @param fleets names of fleets that may be used; empty for all
   * @param instances names or addresses of machines that may be used; empty for all
   * @param idleDuration for how long a new machine is kept without work; null for ever
   * @param reservation the provider's id of capacity that was reserved before
   * @param tags what new machines carry at the provider
   */
  public record Machines(
      boolean reuseOnly,
      List<String> fleets,
      List<String> instances,
      @Nullable Duration idleDuration,
      @Nullable String reservation,
      Map<String, String> tags) {
    public static final Duration DEFAULT_IDLE = Duration.ofMinutes(5);
    public static final Machines USUAL =
        new Machines(false, List.of(), List.of(), DEFAULT_IDLE, null, Map.of());

    public Machines {
      fleets = List.copyOf(fleets);
      instances = List.copyOf(instances);
      tags = Collections.unmodifiableMap(new TreeMap<>(tags));
    }

    /** Whether only what is there may be used. */
    public boolean buyNothing() {
      return reuseOnly || !instances.isEmpty();
    }
  }

  /** Whether a machine that is there by itself can do it by what runs jobs on it. */
  public boolean suit(Instance.@Nullable Engine engine) {
    if (engine == null) {
      return !Boolean.TRUE.equals(containerOnly) && (container == null || !container.privileged());
    }
    return container == null
        || ((!container.privileged() || engine.privileged())
            && (container.mounts().isEmpty() || engine.mounts()));
  }

  /** Whether a backend may be used, by its key and its type. */
  public boolean allow(String key, String type) {
    String name = BackendKey.name(key);
    return (project == null || BackendKey.isFor(project, key))
        && (backends.isEmpty()
            || backends.stream().anyMatch(word -> word.equals(name) || word.equals(type)))
        && bounds.stream().allMatch(bound -> bound.permitsBackend(name, type));
  }

  /** Whether the policies let a machine be used that was bought before. */
  public boolean permit(CatalogItem item) {
    return bounds.stream().allMatch(bound -> bound.permits(item));
  }

  /** Whether the policies let an offer be bought. */
  public boolean permitBuying(CatalogItem item) {
    return bounds.stream().allMatch(bound -> bound.permitsBuying(item));
  }

  /** The same, with other policies to keep to. */
  public Wishes within(List<PolicyBound> newBounds) {
    return new Wishes(project, backends, filter, container, machines, newBounds, containerOnly);
  }

  /** The same, for those who belong to a project. */
  public Wishes in(String newProject) {
    return new Wishes(newProject, backends, filter, container, machines, bounds, containerOnly);
  }
}
