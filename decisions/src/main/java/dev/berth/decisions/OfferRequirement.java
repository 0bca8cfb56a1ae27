package dev.berth.decisions;

import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.Container;
import dev.berth.model.Fleet;
import dev.berth.model.PolicyBound;
import dev.berth.model.Wishes;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.offers.OfferMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of offers. Whoever asks for the same gets the same answer, whatever else differs in
 * their configurations.
 *
 * @param parties whose backends may be used, each of those who have a say
 * @param privileged whether containers there must be allowed to be privileged
 * @param reserved whether reserved capacity must be usable there
 * @param machines whether it must be a machine
 * @param together whether machines there must reach each other
 * @param containers whether plain processes cannot do it
 * @param items what the offer itself must have
 */
public record OfferRequirement(
    List<Party> parties,
    boolean privileged,
    boolean reserved,
    boolean machines,
    boolean together,
    boolean containers,
    Items items) {
  public OfferRequirement {
    parties = List.copyOf(parties);
  }

  /**
   * Somebody who says which backends may be used.
   *
   * @param project whose backends, besides those that are for all; null for everybody's
   * @param backends names or types; empty for all
   */
  public record Party(@Nullable String project, List<String> backends) {
    public Party {
      backends = List.copyOf(backends);
    }

    boolean allows(String key, String type) {
      String name = BackendKey.name(key);
      return (project == null || BackendKey.isFor(project, key))
          && (backends.isEmpty()
              || backends.stream().anyMatch(word -> word.equals(name) || word.equals(type)));
    }
  }

  /**
   * What an offer itself must have, whoever sells it: what a backend is asked for.
   *
   * @param filters all of which it must match; at least one
   * @param bounds what policies say
   * @param blocks into how many parts it must be possible to cut it; null for any
   */
  public record Items(
      List<OfferFilter> filters, List<PolicyBound> bounds, @Nullable Integer blocks) {
    public Items {
      filters = List.copyOf(filters);
      bounds = List.copyOf(bounds);
    }

    /** What providers and the catalog are asked for. Zones depend on the account. */
    public OfferFilter question() {
      return withoutZones(filters.getFirst());
    }

    /** The smallest disk that all of them are content with; empty where nobody asks for one. */
    public Optional<Long> leastDisk() {
      return filters.stream()
          .map(OfferFilter::diskMib)
          .flatMap(range -> range == null ? Stream.empty() : Stream.ofNullable(range.min()))
          .max(Comparator.naturalOrder());
    }

    /** Whether an offer may match, before it is known in which zones the account can have it. */
    public boolean mayMatch(CatalogItem item) {
      String zone = item.zone();
      return matchesBesidesZones(item)
          && (zone == null || filters.stream().allMatch(filter -> isIn(filter.zones(), zone)));
    }

    private boolean matchesBesidesZones(CatalogItem item) {
      return filters.stream().allMatch(filter -> OfferMatch.matches(withoutZones(filter), item))
          && bounds.stream().allMatch(bound -> bound.permitsBuying(item))
          && Blocks.canBeCut(blocks, item);
    }

    /** Whether a candidate matches. */
    public boolean match(Candidate candidate) {
      return matchesBesidesZones(candidate.withDisk(leastDisk()).item())
          && filters.stream()
              .allMatch(
                  filter ->
                      filter.zones().isEmpty() || zones(candidate, filter).findAny().isPresent());
    }
  }

  /** What a run asks for. */
  public static OfferRequirement of(Wishes wishes) {
    Container container = wishes.container();
    return new OfferRequirement(
        List.of(new Party(wishes.project(), wishes.backends())),
        container != null && container.privileged(),
        wishes.machines().reservation() != null,
        false,
        false,
        !wishes.suit(null),
        new Items(List.of(wishes.filter()), wishes.bounds(), null));
  }

  /** What a user of a project asks for who looks around. */
  public static OfferRequirement of(String project, OfferFilter filter) {
    return of(project, List.of(), filter);
  }

  /** The same, of some backends only. */
  public static OfferRequirement of(String project, List<String> backends, OfferFilter filter) {
    return new OfferRequirement(
        List.of(new Party(project, backends)),
        false,
        false,
        false,
        false,
        false,
        new Items(List.of(filter), List.of(), null));
  }

  /** What a fleet asks for. */
  public static OfferRequirement of(Fleet.Spec fleet) {
    OfferRequirement own = of(fleet.wishes());
    return new OfferRequirement(
        own.parties,
        own.privileged,
        own.reserved,
        true,
        own.together,
        own.containers,
        new Items(own.items.filters, own.items.bounds, fleet.blocks()));
  }

  /** The same for one of several nodes, which must reach each other. */
  OfferRequirement amongSeveral(boolean several) {
    return several
        ? new OfferRequirement(parties, privileged, reserved, true, true, containers, items)
        : this;
  }

  /** The same in a fleet, whose requirements must be met, too. */
  OfferRequirement in(@Nullable Fleet fleet) {
    if (fleet == null) {
      return this;
    }
    OfferRequirement other = of(fleet.spec());
    return new OfferRequirement(
        joined(parties, other.parties),
        privileged || other.privileged,
        reserved || other.reserved,
        true,
        together,
        containers,
        new Items(
            joined(items.filters, other.items.filters),
            joined(items.bounds, other.items.bounds),
            other.items.blocks));
  }

  private static <T> List<T> joined(List<T> one, List<T> other) {
    List<T> all = new ArrayList<>(one);
    other.stream().filter(element -> !one.contains(element)).forEach(all::add);
    return all;
  }

  /** Whether a backend may be used, by its key, its type, and what it can do. */
  public boolean allows(String key, String type, Candidate.Abilities abilities) {
    String name = BackendKey.name(key);
    return parties.stream().allMatch(party -> party.allows(key, type))
        && items.bounds.stream().allMatch(bound -> bound.permitsBackend(name, type))
        && (!privileged || abilities.privileged())
        && (!reserved || abilities.reservations())
        && (!machines || abilities.machines())
        && (!together || abilities.severalNodes())
        && (!containers || abilities.execution() != Candidate.Execution.PROCESSES);
  }

  /** Whether a candidate suits. */
  public boolean isMetBy(Candidate candidate) {
    return allows(candidate.backend(), candidate.type(), candidate.abilities())
        && items.match(candidate);
  }

  /** Zones are looked at with those where the account can have the offer. */
  private static OfferFilter withoutZones(OfferFilter filter) {
    return filter.zones().isEmpty() ? filter : filter.withZones(Set.of());
  }

  private static boolean isIn(Set<String> wanted, String zone) {
    return wanted.isEmpty() || wanted.stream().anyMatch(zone::equalsIgnoreCase);
  }

  /** Where a candidate can be had of the zones that a filter asks for, the best first. */
  static Stream<String> zones(Candidate candidate, OfferFilter filter) {
    Stream<String> all =
        candidate.zones().isEmpty()
            ? Optional.ofNullable(candidate.item().zone()).stream()
            : candidate.zones().stream();
    return all.filter(zone -> isIn(filter.zones(), zone));
  }
}
