package dev.berth.testkit.checks;

import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Owner;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** How things are listed. */
final class ListChecks {
  static final List<Check> ALL =
      List.of(
          check(
              "list-shows-what-was-made",
              "list() shows a thing from when it was made, or from visibleWithin after that.",
              ListChecks::shows),
          check(
              "list-shows-every-kind",
              "list() shows machines, volumes, gateways and all else that the backend makes, each"
                  + " as its type.",
              ListChecks::everyKind),
          check(
              "list-hides-what-others-own",
              "list() shows what carries the owner's mark, and nothing of another installation.",
              ListChecks::hides),
          check(
              "list-gives-working-refs",
              "What list() shows can be described and deleted with nothing else known of it.",
              ListChecks::refs),
          check(
              "list-twice-the-same",
              "list() changes nothing: asked twice, it shows the same things.",
              ListChecks::twice),
          check(
              "parts-name-their-owner",
              "What list() shows as a part of something is under the key of that, which it shows"
                  + " too, and goes with it.",
              ListChecks::parts),
          check(
              "find-by-key",
              "find() shows what carries a key, and nothing for a key that nobody used.",
              ListChecks::find));

  private ListChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.LIST, name, sentence, body).needing(Part.THINGS);
  }

  private static void shows(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef ref = trial.things().create(request).ref();
    trial.pass(trial.things().visibleWithin());
    List<Found> shown = trial.things().keyed(trial.owner(), request.key());
    Expect.that(
        shown.stream().anyMatch(found -> found.ref().id().equals(ref.id())),
        "list() does not show what was made: list by the owner's tag in every region, and declare"
            + " a longer visibleWithin in the identity where the provider's lists lag");
  }

  private static void everyKind(Trial trial) {
    for (CreateRequest request : trial.things().oneOfEach()) {
      trial.things().create(request);
      Found found = trial.things().awaitListed(request.key(), 1).getFirst();
      Expect.same(
          request.type(), found.ref().type(), "list() shows a thing under the type that it is");
    }
  }

  private static void hides(Trial trial) {
    CreateRequest own = trial.things().sample(trial.key());
    CreateRequest foreign = trial.things().sample(trial.key(), trial.stranger());
    String ours = trial.things().create(own).ref().id();
    String theirs = trial.things().create(foreign).ref().id();
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        !lists(trial, trial.owner(), theirs),
        "list() shows what another installation owns: list only what carries the owner's mark");
    Expect.that(
        !lists(trial, trial.stranger(), ours),
        "list() of another owner shows what is ours: list only what carries the owner's mark");
  }

  /** By the id, because the key of what others own may not be readable. */
  private static boolean lists(Trial trial, Owner owner, String id) {
    return trial.things().provisioner().list(owner).stream()
        .anyMatch(found -> found.ref().id().equals(id));
  }

  private static void refs(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    trial.things().create(request);
    ResourceRef listed = trial.things().awaitListed(request.key(), 1).getFirst().ref();
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        trial.things().provisioner().describe(listed).isPresent(),
        "describe() does not know what list() shows: put all that it needs into the ref's data");
    try {
      trial.things().provisioner().delete(listed);
    } catch (BackendException.Transient e) {
      trial.things().deletePatiently(listed);
    }
    trial.things().awaitGone(listed);
  }

  private static void twice(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef ref = trial.things().create(request).ref();
    trial.things().awaitReady(ref);
    trial.things().awaitListed(request.key(), 1);
    Set<String> first = ids(trial, request.key());
    Expect.that(
        first.equals(ids(trial, request.key())),
        "list() shows other things when it is asked twice: it may change nothing, and show"
            + " everything each time");
  }

  private static Set<String> ids(Trial trial, String key) {
    return trial.things().keyed(trial.owner(), key).stream()
        .map(found -> found.ref().id())
        .collect(Collectors.toSet());
  }

  private static void parts(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef ref = trial.things().create(request).ref();
    trial.things().awaitReady(ref);
    trial.things().awaitListed(request.key(), 1);
    List<Found> parts =
        trial.things().allKeyed(trial.owner(), request.key()).stream()
            .filter(found -> found.partOf() != null)
            .toList();
    for (Found part : parts) {
      Expect.same(
          ref.id(),
          part.partOf(),
          "partOf of the %s %s, which was made together with another"
              .formatted(part.ref().type().word(), part.ref().id()));
    }
    trial.things().deletePatiently(ref);
    trial.things().awaitGone(ref);
    trial.await(
        trial.things().visibleWithin().plus(trial.limits().gone()),
        "list() still shows parts of what is gone: delete() must take them away, too",
        () ->
            trial.things().allKeyed(trial.owner(), request.key()).isEmpty()
                ? Optional.of(true)
                : Optional.empty());
  }

  private static void find(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    trial.things().create(request);
    trial.things().awaitListed(request.key(), 1);
    String region = trial.place().region();
    List<Found> found = trial.things().provisioner().find(trial.owner(), request.key(), region);
    Expect.same(1, found.size(), "things that find() shows for a key that was used once");
    Expect.same(request.key(), found.getFirst().ref().key(), "the key of what find() shows");
    Expect.that(
        trial.things().provisioner().find(trial.owner(), trial.key(), region).isEmpty(),
        "find() of a key that nobody used shows something: show only what carries the key");
  }
}
