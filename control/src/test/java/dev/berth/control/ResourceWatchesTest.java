package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Endpoint;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Listing;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often machines are looked at, and what is told of them. */
final class ResourceWatchesTest {
  private final Map<String, Found.State> provider = new HashMap<>();
  private final Set<String> unseen = new HashSet<>();
  private final Map<String, List<Duration>> looks = new HashMap<>();
  private final List<String> told = new ArrayList<>();

  /** Where the provider says that things are reached, and where we were told that they are. */
  private final Map<String, MachineAddress> addresses = new HashMap<>();

  private final Map<String, Optional<Endpoint>> endpoints = new HashMap<>();
  private final SettableClock clock = new SettableClock();
  private final Instant began = clock.instant();
  private ActiveSet active = new ActiveSet();
  private int atOnce = 1;
  private int calls;
  private Duration patience = Duration.ZERO;
  private ResourceWatches watches = shownWithin(Duration.ZERO);

  private ResourceWatches shownWithin(Duration visibleWithin) {
    return new ResourceWatches(
        Samples.BACKEND,
        new Shown(),
        visibleWithin,
        (key, observation) -> {
          told.add(key + " " + observation.state());
          endpoints.put(key, Optional.ofNullable(observation.endpoint()));
        });
  }

  @Test
  void anAddressIsToldWithAllThatItsProviderSays() {
    addresses.put(
        "m1",
        new MachineAddress(
            "203.0.113.7",
            2222,
            "ubuntu",
            "172.16.0.7",
            new MachineAddress.Jump("jump.example", 22, "guest"),
            "ssh-ed25519 AAAA"));
    be("m1", Found.State.READY);
    follow("m1", Resource.State.PRESENT);
    pass(Duration.ofSeconds(1));
    assertThat(endpoints.get("m1"))
        .contains(
            new Endpoint(
                "203.0.113.7",
                2222,
                "ubuntu",
                "172.16.0.7",
                new Endpoint.Jump("jump.example", 22, "guest"),
                "ssh-ed25519 AAAA"));
    addresses.put("m1", MachineAddress.of("203.0.113.7").withHostKey("ssh-ed25519 BBBB"));
    pass(Duration.ofSeconds(6));
    assertThat(told).as("another key is news").containsExactly("m1 READY", "m1 READY");
  }

  @Test
  void whatIsComingIsLookedAtSoonAndThenLessOften() {
    be("m1", Found.State.CREATING);
    follow("m1", Resource.State.PRESENT);
    pass(Duration.ofSeconds(20));
    assertThat(looks.get("m1")).startsWith(millis(0, 200, 600, 1400, 3000, 6200, 11200, 16200));
    assertThat(told).containsExactly("m1 CREATING");
  }

  @Test
  void whatIsReadyIsLookedAtAsUsualAlsoWhileOthersChange() {
    be("m1", Found.State.READY);
    be("m2", Found.State.CREATING);
    follow("m1", Resource.State.PRESENT);
    follow("m2", Resource.State.PRESENT);
    pass(Duration.ofSeconds(6));
    assertThat(looks.get("m1")).isEqualTo(List.of(millis(0, 5000)));
    assertThat(looks.get("m2")).isEqualTo(List.of(millis(0, 200, 600, 1400, 3000)));
    be("m2", Found.State.READY);
    pass(Duration.ofSeconds(1));
    assertThat(told).containsExactly("m1 READY", "m2 CREATING", "m2 READY");
  }

  @Test
  void whatIsGoingIsLookedAtAtOnceAndSoonAgain() {
    be("m1", Found.State.READY);
    follow("m1", Resource.State.PRESENT);
    pass(Duration.ofSeconds(6));
    follow("m1", Resource.State.LEAVING);
    pass(Duration.ofSeconds(2));
    assertThat(looks.get("m1")).isEqualTo(List.of(millis(0, 5000, 6000, 6200, 6600, 7400)));
    assertThat(told).as("it is as it was").containsExactly("m1 READY");
    provider.remove("m1");
    pass(Duration.ofSeconds(2));
    assertThat(told).containsExactly("m1 READY", "m1 " + ResourceObservation.State.ABSENT);
  }

  @Test
  void whatIsAbsentOnceIsLookedAtAgainAtOnce() {
    be("m1", Found.State.READY);
    follow("m1", Resource.State.PRESENT);
    pass(Duration.ofSeconds(1));
    provider.remove("m1");
    pass(Duration.ofMillis(4100));
    assertThat(told).as("one look proves nothing").containsExactly("m1 READY");
    be("m1", Found.State.READY);
    pass(Duration.ofSeconds(1));
    assertThat(looks.get("m1")).isEqualTo(List.of(millis(0, 5000, 5200)));
    provider.remove("m1");
    pass(Duration.ofSeconds(6));
    assertThat(looks.get("m1")).startsWith(millis(0, 5000, 5200, 10200, 10400));
    assertThat(told).containsExactly("m1 READY", "m1 ABSENT");
  }

  @Test
  void whatWasMadeAMomentAgoMayBeMissing() {
    watches = shownWithin(Duration.ofSeconds(30));
    follow("m1", Resource.State.PRESENT, began);
    pass(Duration.ofSeconds(20));
    assertThat(told).isEmpty();
    assertThat(looks.get("m1")).startsWith(millis(0, 200, 600, 1400, 3000, 6200, 11200, 16200));
    be("m1", Found.State.READY);
    pass(Duration.ofSeconds(5));
    assertThat(told).containsExactly("m1 READY");
  }

  @Test
  void whatIsNeverShownIsGoneWhenItMustHaveBeenShown() {
    watches = shownWithin(Duration.ofSeconds(30));
    follow("m1", Resource.State.PRESENT, began);
    pass(Duration.ofMillis(29_900));
    assertThat(told).isEmpty();
    pass(Duration.ofSeconds(5));
    assertThat(told).containsExactly("m1 ABSENT");
  }

  @Test
  void whatIsDeletedBeforeItWasShownIsNotGoneYet() {
    watches = shownWithin(Duration.ofSeconds(30));
    follow("m1", Resource.State.PRESENT, began);
    pass(Duration.ofSeconds(2));
    follow("m1", Resource.State.LEAVING, began);
    pass(Duration.ofSeconds(20));
    assertThat(told).as("it may be there, and the delete may not have met it").isEmpty();
    be("m1", Found.State.LEAVING);
    pass(Duration.ofSeconds(6));
    provider.remove("m1");
    pass(Duration.ofSeconds(6));
    assertThat(told).containsExactly("m1 LEAVING", "m1 ABSENT");
  }

  @Test
  void ofWhatNobodyKnowsWhenItWasMadeTheFirstLookCounts() {
    watches = shownWithin(Duration.ofSeconds(10));
    follow("m1", Resource.State.PRESENT);
    pass(Duration.ofMillis(9_900));
    assertThat(told).isEmpty();
    pass(Duration.ofSeconds(5));
    assertThat(told).containsExactly("m1 ABSENT");
  }

  @Test
  void whatIsOlderThanTheDelayIsGoneSoon() {
    watches = shownWithin(Duration.ofMinutes(10));
    follow("m1", Resource.State.PRESENT, began.minus(Duration.ofHours(1)));
    pass(Duration.ofSeconds(1));
    assertThat(told).containsExactly("m1 ABSENT");
  }

  @Test
  void whatCannotBeSeenKeepsNobodyFromSeeingTheOthers() {
    be("m1", Found.State.READY);
    be("m2", Found.State.READY);
    unseen.add("m1");
    follow("m1", Resource.State.PRESENT);
    follow("m2", Resource.State.PRESENT);
    pass(Duration.ofSeconds(1));
    assertThat(told).containsExactly("m2 READY");
    unseen.clear();
    pass(Duration.ofSeconds(1));
    assertThat(told).containsExactly("m2 READY", "m1 READY");
  }

  @Test
  void whatMayNotHaveBeenHeardIsToldAgain() {
    be("m1", Found.State.READY);
    follow("m1", Resource.State.PRESENT);
    pass(Duration.ofSeconds(1));
    watches.forget();
    pass(Duration.ofSeconds(1));
    assertThat(told).containsExactly("m1 READY", "m1 READY");
  }

  @Test
  void whereNothingIsFollowedNothingIsDue() {
    assertThat(watches.next(clock.instant())).isEmpty();
    be("m1", Found.State.READY);
    follow("m1", Resource.State.PRESENT);
    assertThat(watches.next(clock.instant())).contains(clock.instant());
    active = new ActiveSet();
    watches.follow(active);
    assertThat(watches.next(clock.instant())).isEmpty();
  }

  @Test
  void manyAreLookedAtByOneCall() {
    atOnce = 3;
    for (int i = 1; i <= 7; i++) {
      be("m" + i, Found.State.READY);
      follow("m" + i, Resource.State.PRESENT);
    }
    watches.step(clock.instant());
    assertThat(calls).isEqualTo(3);
    assertThat(told).hasSize(7);
  }

  @Test
  void oneThatCannotBeSeenWithOthersIsLookedAtByItself() {
    atOnce = 100;
    for (String machine : List.of("m1", "m2", "m3")) {
      be(machine, Found.State.READY);
      follow(machine, Resource.State.PRESENT);
    }
    unseen.add("m2");
    pass(Duration.ofSeconds(1));
    assertThat(told).containsExactlyInAnyOrder("m1 READY", "m3 READY");
    unseen.clear();
    pass(Duration.ofSeconds(1));
    assertThat(told).containsExactlyInAnyOrder("m1 READY", "m3 READY", "m2 READY");
    calls = 0;
    pass(Duration.ofSeconds(5));
    assertThat(calls).as("together again").isLessThanOrEqualTo(2);
  }

  @Test
  void aProviderThatAsksForPatienceIsNotAskedBefore() {
    be("m1", Found.State.CREATING);
    be("m2", Found.State.READY);
    follow("m1", Resource.State.PRESENT);
    follow("m2", Resource.State.PRESENT);
    patience = Duration.ofSeconds(40);
    watches.step(clock.instant());
    patience = Duration.ZERO;
    assertThat(calls).as("the others were not asked for").isEqualTo(1);
    assertThat(watches.next(clock.instant())).contains(clock.instant().plusSeconds(40));
    pass(Duration.ofSeconds(40));
    assertThat(told).containsExactlyInAnyOrder("m1 CREATING", "m2 READY");
  }

  private void be(String machine, Found.State state) {
    provider.put(machine, state);
  }

  private void follow(String machine, Resource.State phase) {
    follow(machine, phase, null);
  }

  private void follow(String machine, Resource.State phase, @Nullable Instant madeBy) {
    active.load(
        new Resource(
                machine,
                Samples.PROJECT,
                "owner",
                Samples.BACKEND,
                ResourceType.INSTANCE,
                phase,
                new Resource.Ref("id-" + machine, "here", Map.of()),
                null,
                null)
            .madeBy(madeBy));
    watches.follow(active);
  }

  /** Lets time go by, with every look when it is due. */
  private void pass(Duration time) {
    Instant end = clock.instant().plus(time);
    Optional<Instant> next = watches.next(clock.instant());
    while (next.isPresent() && !next.get().isAfter(end)) {
      clock.pass(Duration.between(clock.instant(), next.get()));
      watches.step(clock.instant());
      next = watches.next(clock.instant());
    }
    clock.pass(Duration.between(clock.instant(), end));
  }

  private static Duration[] millis(long... times) {
    Duration[] all = new Duration[times.length];
    for (int i = 0; i < times.length; i++) {
      all[i] = Duration.ofMillis(times[i]);
    }
    return all;
  }

  /** A provider that shows what the test says. */
  private final class Shown implements Provisioner {
    @Override
    public List<Optional<Found>> describe(List<ResourceRef> refs) {
      int before = calls;
      List<Optional<Found>> found = refs.stream().map(this::describe).toList();
      calls = before + 1;
      return found;
    }

    @Override
    public int describedAtOnce() {
      return atOnce;
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      calls++;
      if (patience.isPositive()) {
        throw new BackendException.RateLimited("slow down", patience);
      }
      looks
          .computeIfAbsent(ref.key(), _ -> new ArrayList<>())
          .add(Duration.between(began, clock.instant()));
      if (unseen.contains(ref.key())) {
        throw new BackendException.Transient("not now", null);
      }
      MachineAddress access = addresses.get(ref.key());
      return Optional.ofNullable(provider.get(ref.key()))
          .map(state -> Found.of(ref, state, began))
          .map(found -> access == null ? found : found.withAccess(access));
    }

    @Override
    public Found create(CreateRequest request) {
      throw new UnsupportedOperationException("nothing is made here");
    }

    @Override
    public void delete(ResourceRef ref) {
      throw new UnsupportedOperationException("nothing is deleted here");
    }

    @Override
    public Listing list(Owner owner) {
      throw new UnsupportedOperationException("nobody lists here");
    }

    @Override
    public boolean powerOffEndsBilling() {
      return true;
    }
  }
}
