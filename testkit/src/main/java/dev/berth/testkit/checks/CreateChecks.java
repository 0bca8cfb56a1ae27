package dev.berth.testkit.checks;

import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.CheckFailure;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How things are made. */
final class CreateChecks {
  private static final Duration CLOCKS_MAY_DIFFER = Duration.ofHours(1);

  /** Without these, a thing cannot be known again. */
  static final List<Check> ALL =
      List.of(
          check(
                  "create-makes-it-ready",
                  "create() asks for a thing, and describe() shows it READY some time later.",
                  CreateChecks::ready)
              .needing(Part.THINGS),
          check(
                  "create-answers-with-what-was-asked",
                  "create() answers with the request's key, type and region, and the provider's"
                      + " id.",
                  CreateChecks::answers)
              .needing(Part.THINGS),
          check(
                  "create-keeps-the-tags",
                  "The marks of the request, which are owner, key and sequence, are stored at the"
                      + " provider, so that a lost ledger can be rebuilt from them.",
                  CreateChecks::marks)
              .needing(Part.THINGS),
          check(
                  "create-keeps-all-labels-or-none",
                  "A provider that has room for labels shows all labels of the request as they"
                      + " are; one that has none shows none.",
                  CreateChecks::labels)
              .needing(Part.THINGS),
          check(
                  "create-tells-when",
                  "createdAt() is when the provider made the thing.",
                  CreateChecks::when)
              .needing(Part.THINGS),
          check(
                  "provisioning-timeout-is-stated",
                  "provisioningTimeout() of an instance type is longer than nothing, and the same"
                      + " when asked again.",
                  CreateChecks::timeout)
              .needing(Part.OFFERS),
          check(
                  "create-unknown-type-refused",
                  "An instance type that the provider does not have is a permanent error or no"
                      + " capacity, and nothing is made.",
                  CreateChecks::unknownType)
              .needing(Part.MACHINES),
          check(
                  "create-at-a-spot-offer",
                  "A spot offer gives a machine or a job like any other.",
                  CreateChecks::spot)
              .needing(Part.OFFERS)
              .using(Trait.SPOT),
          check(
                  "create-out-of-a-reservation",
                  "With RESERVATIONS a machine or job can be had out of what was reserved.",
                  CreateChecks::reserved)
              .using(Trait.RESERVATIONS),
          check(
                  "unknown-reservation-refused",
                  "A reservation that the provider does not know is an error: the machine is not"
                      + " taken from elsewhere.",
                  CreateChecks::unknownReservation)
              .needing(Part.OFFERS)
              .using(Trait.RESERVATIONS),
          check(
                  "reservations-refused",
                  "Without RESERVATIONS a place with a reservation is refused.",
                  CreateChecks::noReservations)
              .refusing(Trait.RESERVATIONS),
          check(
                  "several-nodes-at-one-place",
                  "With MULTI_NODE two machines or jobs of one place are there at the same time.",
                  CreateChecks::severalNodes)
              .needing(Part.OFFERS)
              .using(Trait.MULTI_NODE),
          check(
                  "several-nodes-refused",
                  "Without MULTI_NODE a group of more than one is refused.",
                  CreateChecks::noSeveralNodes)
              .refusing(Trait.MULTI_NODE));

  private CreateChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CREATE, name, sentence, body);
  }

  private static void ready(Trial trial) {
    Found made = trial.things().create(trial.things().sample(trial.key()));
    trial.things().awaitReady(made.ref());
  }

  private static void answers(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef ref = trial.things().create(request).ref();
    Expect.same(request.key(), ref.key(), "create() answers with the key of the request");
    Expect.same(request.type(), ref.type(), "create() answers with the type of the request");
    Expect.same(
        trial.place().region(), ref.region(), "create() answers with the region of the place");
    Expect.that(!ref.id().isBlank(), "create() answers without the provider's id");
  }

  private static void marks(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef ref = trial.things().create(request).ref();
    sameMarks(request, trial.things().awaitReady(ref).tags(), "describe()");
    trial.things().awaitListed(request.key(), 1);
    // By a server that was started later and is handed nothing: what it shows is at the provider.
    Map<String, String> listed =
        trial.things().listedAnew(request.key()).map(Found::tags).orElse(Map.of());
    sameMarks(request, listed, "list() of a server that was started later");
  }

  private static void sameMarks(CreateRequest request, Map<String, String> shown, String by) {
    new TreeMap<>(request.marks().tags())
        .forEach(
            (name, asked) ->
                Expect.same(
                    asked,
                    shown.get(name),
                    ("%s must show the mark %s as it was asked for: store it as a tag, or all"
                            + " marks in one name, see MarkCodec and Found.withMarks")
                        .formatted(by, name)));
  }

  private static void labels(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef ref = trial.things().create(request).ref();
    Map<String, String> shown = trial.things().awaitReady(ref).tags();
    Map<String, String> labels = new TreeMap<>(request.labels());
    if (labels.keySet().stream().anyMatch(shown::containsKey)) {
      labels.forEach(
          (name, asked) ->
              Expect.same(
                  asked,
                  shown.get(name),
                  "describe() must show the label %s as it was asked for, or no label at all"
                      .formatted(name)));
    }
  }

  private static void when(Trial trial) {
    Instant before = trial.now();
    Found made = trial.things().create(trial.things().sample(trial.key()));
    Instant created = made.createdAt();
    Expect.that(
        !created.isBefore(before.minus(CLOCKS_MAY_DIFFER))
            && !created.isAfter(trial.now().plus(CLOCKS_MAY_DIFFER)),
        "createdAt() is more than %d minutes away from now: say when the provider made the thing"
            .formatted(CLOCKS_MAY_DIFFER.toMinutes()));
  }

  private static void timeout(Trial trial) {
    String type = trial.place().instanceType();
    Duration timeout = trial.compute().provisioningTimeout(type);
    Expect.that(timeout.isPositive(), "provisioningTimeout() must be longer than nothing");
    Expect.same(
        timeout,
        trial.compute().provisioningTimeout(type),
        "provisioningTimeout() of one instance type, asked again");
  }

  private static void unknownType(Trial trial) {
    String key = trial.key();
    Expect.thrown(
        () -> trial.things().create(trial.things().machine(key, trial.nowhere())),
        "create() of a machine of an unknown instance type",
        BackendException.Permanent.class,
        BackendException.NoCapacity.class);
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        trial.things().keyed(trial.owner(), key).isEmpty(),
        "create() threw, and something was made all the same");
  }

  private static void spot(Trial trial) {
    Place place =
        trial
            .offered()
            .find(CatalogItem::spot)
            .orElseThrow(
                () ->
                    new CheckFailure(
                        "no spot offer can be had: tell one, or opt out with"
                            + " traits().without(SPOT)"));
    take(trial, place);
  }

  private static void reserved(Trial trial) {
    Place place = trial.subject().reservation();
    if (place == null) {
      throw new NotApplicable("the subject names no reservation; see Subject.reserving");
    }
    take(trial, place);
  }

  private static void take(Trial trial, Place place) {
    if (trial.traits().base() == Traits.Base.MACHINES) {
      Found made = trial.things().create(trial.things().machine(trial.key(), place));
      trial.things().awaitReady(made.ref());
    } else {
      trial.jobs().awaitEnd(trial.jobs().start(trial.jobs().member("echo here").at(place)));
    }
  }

  private static void unknownReservation(Trial trial) {
    Place place = trial.place().reserved("kit-no-such-reservation");
    String sentence =
        "a place with a reservation that nobody has, where a machine must not be taken from"
            + " elsewhere";
    if (trial.traits().base() == Traits.Base.MACHINES) {
      refuseReservation(
          () -> trial.things().create(trial.things().machine(trial.key(), place)), sentence);
    } else {
      refuseReservation(
          () -> trial.jobs().start(trial.jobs().member("echo never").at(place)), sentence);
    }
  }

  private static void refuseReservation(Runnable call, String sentence) {
    BackendException refusal =
        Expect.thrown(
            call,
            sentence,
            BackendException.Permanent.class,
            BackendException.NoCapacity.class,
            BackendException.QuotaExceeded.class);
    Expect.that(
        !(refusal instanceof BackendException.Unsupported),
        "reservations are refused though traits() has RESERVATIONS: implement them, or opt out"
            + " with traits().without(RESERVATIONS)");
  }

  private static void noReservations(Trial trial) {
    Place place =
        trial.traits().base() == Traits.Base.HOSTS
            ? new Place("here", null, "any", false, 0, "{}", null, "any")
            : trial.place().reserved("any");
    Refusals.ofPlace(trial, place, "a reservation", Trait.RESERVATIONS);
  }

  private static void severalNodes(Trial trial) {
    if (trial.traits().base() == Traits.Base.MACHINES) {
      Found first = trial.things().create(trial.things().machine(trial.key(), trial.place()));
      Found second = trial.things().create(trial.things().machine(trial.key(), trial.place()));
      String one = addressForOthers(trial.things().awaitReady(first.ref()));
      String other = addressForOthers(trial.things().awaitReady(second.ref()));
      Expect.that(
          one != null && other != null && !one.equals(other),
          "two machines of one place must have addresses of their own, so that they reach each"
              + " other; opt out with traits().without(MULTI_NODE) where they cannot");
    } else {
      String first = trial.jobs().run("sleep 3600");
      String second = trial.jobs().run("sleep 3600");
      trial.jobs().awaitRunning(first);
      trial.jobs().awaitRunning(second);
      trial.jobs().awaitRunning(first);
    }
  }

  /** Where other machines of the place reach one. */
  private static @Nullable String addressForOthers(Found machine) {
    MachineAddress access = machine.access();
    return access == null || access.privateAddress() == null
        ? machine.host()
        : access.privateAddress();
  }

  private static void noSeveralNodes(Trial trial) {
    if (trial.traits().base() == Traits.Base.HOSTS) {
      Expect.that(
          trial.compute().ownMachines().size() <= 1,
          "a backend of several hosts has MULTI_NODE, or shows one machine");
      return;
    }
    CreateRequest.Group group =
        trial
            .things()
            .group(
                trial.key(),
                trial.place(),
                List.of(trial.jobs().member("echo never"), trial.jobs().member("echo never")));
    Refusals.ofThing(trial, group, "a group of two", Trait.MULTI_NODE, Trait.GROUPS);
  }
}
