package dev.berth.testkit.checks;

import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.ProviderSide;
import dev.berth.testkit.ProviderSide.Calls;
import dev.berth.testkit.ProviderSide.Existing;
import dev.berth.testkit.ProviderSide.Failure;
import dev.berth.testkit.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What stays at the provider, seen there and not in the backend's own lists. */
final class LeakChecks {
  /** No backend needs more calls to make or delete one thing. */
  private static final int MOST_CALLS = 30;

  /** Behind these, it is described again and again, which reads the same each time. */
  private static final int MOST_READS = 8;

  static final List<Check> ALL =
      List.of(
          check(
              Area.DELETE,
              "gone-is-gone-at-the-provider",
              "Once describe() is empty after delete(), no part of the thing that costs money is"
                  + " left at the provider.",
              LeakChecks::gone),
          check(
              Area.ERRORS,
              "refused-create-leaves-nothing",
              "If the provider refuses any one of the calls that create() makes, create() rolls"
                  + " back, or throws Transient.",
              trial -> {
                eachFailure(trial, Failure.TOO_MANY, 1, LeakChecks::leavesNothing);
                // The second one refuses the first call that takes something back.
                eachFailure(trial, Failure.TOO_MANY, 2, LeakChecks::leavesNothing);
              }),
          check(
              Area.ERRORS,
              "lost-answer-makes-nothing-twice",
              "create() does not repeat a call whose answer was lost, because the call may have"
                  + " taken effect.",
              trial -> {
                Map<String, Long> once = madeByOne(trial);
                eachFailure(trial, Failure.LOST_AFTER, 1, attempt -> nothingTwice(attempt, once));
              }),
          check(
              Area.ERRORS,
              "failed-create-is-found-and-deleted",
              "Whatever a failed create() leaves behind is shown by find() and removed by"
                  + " delete().",
              trial -> {
                eachFailure(trial, Failure.LOST_BEFORE, 1, _ -> {});
                eachFailure(trial, Failure.LOST_AFTER, 1, _ -> {});
                eachFailure(trial, Failure.UNAVAILABLE, 1, _ -> {});
              }),
          check(
              Area.ERRORS,
              "failed-delete-forgets-nothing",
              "If the provider refuses any one of the calls that delete() makes, calling delete()"
                  + " until describe() is empty still removes everything.",
              trial -> {
                eachRefusedDeletion(trial, Calls.WRITES, MOST_CALLS);
                eachRefusedDeletion(trial, Calls.READS, MOST_READS);
              }),
          check(
              Area.LEFTOVERS,
              "nothing-is-left-at-the-provider",
              "After one thing of each kind was created and deleted, nothing that costs money is"
                  + " left at the provider.",
              LeakChecks::nothingLeft));

  private LeakChecks() {}

  private static Check check(Area area, String name, String sentence, Check.Body body) {
    return Check.of(area, name, sentence, body).needing(Part.THINGS);
  }

  private static void gone(Trial trial) {
    trial.provider();
    List<Existing> before = trial.leftAtProvider();
    ResourceRef ready = trial.things().create(trial.things().sample(trial.key())).ref();
    trial.things().awaitReady(ready);
    trial.things().deletePatiently(ready);
    trial.things().awaitGone(ready);
    nothingMore(trial, before, "describe() is empty after delete()");
    ResourceRef unready = trial.things().create(trial.things().sample(trial.key())).ref();
    trial.things().deletePatiently(unready);
    trial.things().awaitGone(unready);
    nothingMore(trial, before, "describe() is empty for what was deleted before it was ready");
  }

  private static void nothingMore(Trial trial, List<Existing> before, String when) {
    List<Existing> left = more(trial, before);
    Expect.that(
        left.isEmpty(),
        "%s, and the provider still has %s: describe() shows a thing until all its parts are gone"
            .formatted(when, kinds(left)));
  }

  private static List<Existing> more(Trial trial, List<Existing> before) {
    List<Existing> left = new ArrayList<>(trial.leftAtProvider());
    left.removeAll(before);
    return left;
  }

  /** Known deviations name exact messages, so ids, which are new in each run, stay out of them. */
  private static List<String> kinds(List<Existing> left) {
    return left.stream().map(Existing::kind).sorted().toList();
  }

  /** A create of which one call failed. */
  private record Attempt(
      Trial trial,
      int call,
      Optional<BackendException> thrown,
      List<Existing> before,
      Map<String, Long> madeBefore) {}

  @FunctionalInterface
  private interface Look {
    void at(Attempt attempt);
  }

  /**
   * Makes things, each of which has another of its calls fail, and cleans up behind each.
   *
   * @param inARow how many calls fail, one after the other
   */
  private static void eachFailure(Trial trial, Failure failure, int inARow, Look look) {
    ProviderSide.Faults faults = Failing.faults(trial);
    for (int call = 1; call <= MOST_CALLS; call++) {
      List<Existing> before = trial.leftAtProvider();
      Map<String, Long> madeBefore = trial.provider().everMade();
      CreateRequest request = trial.things().sample(trial.key());
      try (ProviderSide.Injected injected = faults.at(Calls.WRITES, call, failure);
          ProviderSide.Injected _ = faults.at(Calls.WRITES, call + inARow - 1, failure)) {
        Optional<BackendException> thrown = created(trial, request, injected);
        if (!injected.hasHappened()) {
          cleanUp(trial, request, before, "create() was called");
          return;
        }
        look.at(new Attempt(trial, call, thrown, before, madeBefore));
      }
      cleanUp(trial, request, before, "call %d of create() failed".formatted(call));
    }
  }

  /** Makes a thing; waits where the provider says by itself that it was asked too often. */
  private static Optional<BackendException> created(
      Trial trial, CreateRequest request, ProviderSide.Injected injected) {
    while (true) {
      try {
        trial.things().keepInMind(trial.things().provisionerWithoutRetries().create(request).ref());
        return Optional.empty();
      } catch (BackendException.RateLimited e) {
        if (injected.hasHappened()) {
          return Optional.of(e);
        }
        trial.pass(e.delay());
      } catch (BackendException e) {
        return Optional.of(e);
      }
    }
  }

  private static void cleanUp(
      Trial trial, CreateRequest request, List<Existing> before, String when) {
    Provisioner provisioner = trial.things().provisioner();
    trial.pass(trial.things().visibleWithin());
    trial.await(
        trial.things().visibleWithin().plus(trial.limits().gone()),
        "%s, and what it left at the provider does not go when all that find() shows is deleted"
            .formatted(when),
        () -> {
          for (Found found :
              provisioner.find(trial.owner(), request.key(), trial.place().region())) {
            provisioner.delete(found.ref());
          }
          return more(trial, before).isEmpty() ? Optional.of(true) : Optional.empty();
        });
  }

  private static void leavesNothing(Attempt attempt) {
    attempt
        .thrown()
        .filter(thrown -> !thrown.mayHaveHappened())
        .ifPresent(
            thrown -> {
              List<Existing> left = more(attempt.trial(), attempt.before());
              Expect.that(
                  left.isEmpty(),
                  "call %d of create() was refused, create() threw %s, and the provider has %s: take"
                          .formatted(attempt.call(), thrown.getClass().getSimpleName(), kinds(left))
                      + " back what was made, or throw Transient where that fails");
            });
  }

  /** How many things of each kind one create makes. */
  private static Map<String, Long> madeByOne(Trial trial) {
    Map<String, Long> before = trial.provider().everMade();
    ResourceRef ref = trial.things().create(trial.things().sample(trial.key())).ref();
    trial.things().awaitReady(ref);
    return added(before, trial.provider().everMade());
  }

  private static Map<String, Long> added(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> added = new TreeMap<>();
    after.forEach((kind, count) -> added.put(kind, count - before.getOrDefault(kind, 0L)));
    return added;
  }

  private static void nothingTwice(Attempt attempt, Map<String, Long> once) {
    added(attempt.madeBefore(), attempt.trial().provider().everMade())
        .forEach(
            (kind, count) ->
                Expect.that(
                    count <= once.getOrDefault(kind, 0L),
                    "the answer of call %d of create() was lost, and there are %d of kind %s: throw"
                            .formatted(attempt.call(), count, kind)
                        + " Transient, so that Berth looks before it asks again"));
  }

  private static void eachRefusedDeletion(Trial trial, Calls calls, int most) {
    ProviderSide.Faults faults = Failing.faults(trial);
    for (int call = 1; call <= most; call++) {
      List<Existing> before = trial.leftAtProvider();
      ResourceRef ref = trial.things().create(trial.things().sample(trial.key())).ref();
      trial.things().awaitReady(ref);
      try (ProviderSide.Injected injected = faults.at(calls, call, Failure.TOO_MANY)) {
        trial.things().deletePatiently(ref);
        trial.things().awaitGone(ref);
        List<Existing> left = more(trial, before);
        Expect.that(
            left.isEmpty(),
            "call %d of those that delete was refused, and the provider still has %s: throw what"
                    .formatted(call, kinds(left))
                + " the provider says, so that Berth calls delete() again");
        if (!injected.hasHappened()) {
          return;
        }
      }
    }
  }

  private static void nothingLeft(Trial trial) {
    trial.provider();
    LeftoverChecks.madeAndDeleted(trial);
    List<Existing> left = trial.leftAtProvider();
    Expect.that(
        left.isEmpty(),
        "the provider still has %s: delete() must take away all that was made together with a thing"
                .formatted(kinds(left))
            + " "
            + trial.cleaningProblems());
  }
}
