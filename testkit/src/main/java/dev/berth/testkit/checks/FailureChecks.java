package dev.berth.testkit.checks;

import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.ProviderSide;
import dev.berth.testkit.ProviderSide.Calls;
import dev.berth.testkit.ProviderSide.Failure;
import dev.berth.testkit.Trial;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Answers that must be whole, where the provider gives them in parts or not at all. */
final class FailureChecks {
  /** No backend needs more calls for one look. */
  private static final int MOST_CALLS = 100;

  static final List<Check> ALL =
      List.of(
          check(
              Area.LIST,
              "list-shows-every-page",
              "list() reads every page of the provider's lists.",
              FailureChecks::everyPage),
          check(
              Area.ERRORS,
              "rate-limit-reaches-the-caller",
              "If any call of list() or describe() is answered with 429, they throw RateLimited"
                  + " with at least the delay of Retry-After, or return a complete answer.",
              trial -> everyLook(trial, Failure.TOO_MANY)),
          check(
              Area.ERRORS,
              "failed-read-hides-nothing",
              "If any call of list() or describe() fails, they throw Transient or return a complete"
                  + " answer; what is missing would be taken for gone.",
              trial -> {
                everyLook(trial, Failure.UNAVAILABLE);
                everyLook(trial, Failure.LOST_BEFORE);
              }));

  private FailureChecks() {}

  private static Check check(Area area, String name, String sentence, Check.Body body) {
    return Check.of(area, name, sentence, body).needing(Part.THINGS);
  }

  private static void everyPage(Trial trial) {
    int page =
        trial
            .provider()
            .pageSize()
            .orElseThrow(() -> new NotApplicable("the provider shows all things by one call"));
    Set<String> made = made(trial, page + 1);
    trial.pass(trial.things().visibleWithin());
    missing(trial.things().provisioner().list(trial.owner()).complete(), made, "list() was called");
  }

  private static Set<String> made(Trial trial, int count) {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < count; i++) {
      ids.add(trial.things().create(trial.things().sample(trial.key())).ref().id());
    }
    return ids;
  }

  private static void missing(List<Found> shown, Set<String> made, String when) {
    Set<String> missing = new HashSet<>(made);
    shown.forEach(found -> missing.remove(found.ref().id()));
    Expect.that(
        missing.isEmpty(),
        "%s, and it showed %d of %d things: ask for every page, and throw where one is missing"
            .formatted(when, made.size() - missing.size(), made.size()));
  }

  private static void everyLook(Trial trial, Failure failure) {
    Failing.faults(trial);
    List<ResourceRef> refs = new ArrayList<>();
    for (int i = 0; i <= trial.provider().pageSize().orElse(0); i++) {
      refs.add(trial.things().create(trial.things().sample(trial.key())).ref());
    }
    refs.forEach(trial.things()::awaitReady);
    trial.pass(trial.things().visibleWithin());
    Set<String> ids = new HashSet<>();
    refs.forEach(ref -> ids.add(ref.id()));
    eachCall(
        trial,
        failure,
        "list()",
        () -> trial.things().provisionerWithoutRetries().list(trial.owner()),
        (shown, when) -> {
          // A region that says that it was not seen hides nothing.
          if (!shown.unseen().containsKey(trial.place().region())) {
            missing(shown.found(), ids, when);
          }
        });
    eachCall(
        trial,
        failure,
        "describe()",
        () -> trial.things().provisionerWithoutRetries().describe(refs.getFirst()),
        FailureChecks::sameAsBefore);
  }

  private static void sameAsBefore(Optional<Found> shown, String when) {
    Expect.that(
        shown.isPresent(), when + ", and it was empty: only the provider's word says what is gone");
    Expect.that(
        shown.filter(found -> found.state() != Found.State.READY).isEmpty(),
        when + ", and it showed what is READY as something else: throw Transient");
  }

  @FunctionalInterface
  interface Look<T> {
    void at(T shown, String when);
  }

  /** Makes the first call of a look fail, then the second, and so on. */
  static <T> void eachCall(
      Trial trial, Failure failure, String name, Supplier<T> look, Look<T> then) {
    int call = 1;
    for (int tries = 0; tries < MOST_CALLS; tries++) {
      String when = "call %d of %s failed".formatted(call, name);
      try (ProviderSide.Injected injected = Failing.faults(trial).at(Calls.READS, call, failure)) {
        try {
          then.at(look.get(), when);
        } catch (BackendException e) {
          if (!injected.hasHappened() && e instanceof BackendException.RateLimited limited) {
            // The provider itself says so, which is no failure of this check's making.
            trial.pass(limited.delay());
            continue;
          }
          told(e, failure, when);
        }
        if (!injected.hasHappened()) {
          return;
        }
        call++;
      }
    }
  }

  private static void told(BackendException thrown, Failure failure, String when) {
    if (failure == Failure.TOO_MANY) {
      Expect.that(
          thrown instanceof BackendException.RateLimited limited
              && limited.delay().compareTo(ProviderSide.RETRY_AFTER) >= 0,
          "%s with 429 and Retry-After: %d: throw RateLimited with that delay"
              .formatted(when, ProviderSide.RETRY_AFTER.toSeconds()));
    } else {
      Expect.that(
          thrown instanceof BackendException.Transient,
          "%s: throw Transient, not %s".formatted(when, thrown.getClass().getSimpleName()));
    }
  }
}
