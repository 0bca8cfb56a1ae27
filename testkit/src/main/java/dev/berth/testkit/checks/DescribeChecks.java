package dev.berth.testkit.checks;

import dev.berth.model.Place;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.CheckFailure;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How one thing is looked at. */
final class DescribeChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "describe-shows-what-was-made",
                  "describe() shows a thing by the provider's id as soon as create() answered, or"
                      + " visibleWithin after that.",
                  DescribeChecks::shows)
              .needing(Part.THINGS),
          check(
                  "describe-shows-within-visible-within",
                  "From visibleWithin after create() answered, every describe() shows the thing"
                      + " until it is deleted.",
                  DescribeChecks::keepsShowing)
              .needing(Part.THINGS),
          check(
                  "refused-leaves-nothing",
                  "A machine that the provider accepts and refuses later is REFUSED with a reason,"
                      + " in no list, and nothing to delete.",
                  DescribeChecks::refused)
              .needing(Part.MACHINES),
          check(
                  "describe-unknown-is-empty",
                  "describe() is empty for what the provider does not know, and does not throw.",
                  DescribeChecks::unknown)
              .needing(Part.THINGS),
          check(
                  "describe-many-keeps-the-order",
                  "describe() of several shows each as by itself, in their order, and nothing in"
                      + " the place of what the provider does not know.",
                  DescribeChecks::many)
              .needing(Part.THINGS),
          check(
                  "describe-ready-machine-has-a-host",
                  "A machine that is READY has the address at which it is reached.",
                  DescribeChecks::host)
              .needing(Part.MACHINES),
          check(
                  "describe-keeps-the-address",
                  "A READY machine keeps its address: describe(), also of a server that was started"
                      + " later, shows the same host, port, user, private address, jump host and"
                      + " host key each time, and list() no others.",
                  DescribeChecks::sameAddress)
              .needing(Part.MACHINES),
          check(
                  "private-addresses-differ",
                  "Machines that have private addresses have different ones.",
                  DescribeChecks::privateAddresses)
              .needing(Part.MACHINES),
          check(
                  "describe-by-another-server",
                  "A server that was started later describes what an earlier one made.",
                  DescribeChecks::another)
              .needing(Part.THINGS));

  private static final int LOOKS = 5;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private DescribeChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.DESCRIBE, name, sentence, body);
  }

  private static void shows(Trial trial) {
    ResourceRef ref = trial.things().createVisible(trial.things().sample(trial.key())).ref();
    same(ref, trial.things().provisioner().describe(ref));
  }

  private static void keepsShowing(Trial trial) {
    ResourceRef ref = trial.things().createVisible(trial.things().sample(trial.key())).ref();
    for (int looks = 0; looks < LOOKS; looks++) {
      Expect.that(
          trial.things().provisioner().describe(ref).isPresent(),
          "describe() is empty for what was made, %s after create() answered: declare a longer"
                  .formatted(trial.compute().identity().describedWithin())
              + " visibleWithin or describedWithin in the identity, or Berth takes the thing for"
              + " gone");
      trial.pass(BETWEEN_LOOKS);
    }
  }

  private static void refused(Trial trial) {
    Place place = trial.subject().refusedLate();
    if (place == null) {
      throw new NotApplicable(
          "the subject names no place that is refused late; see Subject.refusingLateAt");
    }
    CreateRequest request = trial.things().machine(trial.key(), place);
    ResourceRef ref = trial.things().create(request).ref();
    Found refused =
        trial.await(
            trial.things().visibleWithin().plus(trial.limits().ready()),
            "describe() did not show the machine as REFUSED",
            () -> refusal(trial, ref));
    Expect.that(
        !refused.detail().isBlank(),
        "a machine is REFUSED without a sentence: pass the provider's own on as the detail");
    Expect.that(
        trial.things().keyed(trial.owner(), request.key()).isEmpty(),
        "list() shows a machine that was REFUSED: nothing is there, so nothing may be listed; show"
            + " it as FAILED while a part of it is there");
    Expect.silent(
        () -> trial.things().provisioner().delete(ref), "delete() of what was REFUSED is silent");
    Expect.that(
        trial
            .things()
            .provisioner()
            .describe(ref)
            .filter(shown -> shown.state() != Found.State.REFUSED)
            .isEmpty(),
        "describe() shows something else for what was REFUSED before: it never changes again");
  }

  private static Optional<Found> refusal(Trial trial, ResourceRef ref) {
    Optional<Found> shown = trial.things().provisioner().describe(ref);
    shown
        .filter(found -> found.state() == Found.State.READY || found.state() == Found.State.FAILED)
        .ifPresent(
            found -> {
              throw new CheckFailure(
                  "a machine that the provider refuses is %s: show it as REFUSED"
                      .formatted(found.state()));
            });
    return shown.filter(found -> found.state() == Found.State.REFUSED);
  }

  private static void same(ResourceRef ref, Optional<Found> shown) {
    Found found =
        shown.orElseThrow(
            () ->
                new CheckFailure(
                    "describe() is empty for what was made: ask the provider by the id of the"
                        + " ref"));
    Expect.that(ref.id().equals(found.ref().id()), "describe() shows a thing of another id");
    Expect.same(ref.key(), found.ref().key(), "the key of what describe() shows");
    Expect.same(ref.type(), found.ref().type(), "the type of what describe() shows");
  }

  private static void unknown(Trial trial) {
    ResourceRef ref = trial.things().unknown();
    Expect.silent(
        () ->
            Expect.that(
                trial.things().provisioner().describe(ref).isEmpty(),
                "describe() shows something for an id that nobody has"),
        "describe() must be empty for an id that nobody has");
  }

  private static void many(Trial trial) {
    ResourceRef one = trial.things().createVisible(trial.things().sample(trial.key())).ref();
    ResourceRef other = trial.things().createVisible(trial.things().sample(trial.key())).ref();
    List<ResourceRef> refs = List.of(other, trial.things().unknown(), one);
    int atOnce = trial.things().provisioner().describedAtOnce();
    Expect.that(atOnce >= 1, "describedAtOnce() is less than one");
    for (int from = 0; from < refs.size(); from += atOnce) {
      List<ResourceRef> some = refs.subList(from, Math.min(refs.size(), from + atOnce));
      List<Optional<Found>> shown = trial.things().provisioner().describe(some);
      Expect.same(some.size(), shown.size(), "how many describe() shows of several");
      for (int i = 0; i < some.size(); i++) {
        if (some.get(i).equals(refs.get(1))) {
          Expect.that(
              shown.get(i).isEmpty(), "describe() of several shows something for an unknown id");
        } else {
          same(some.get(i), shown.get(i));
        }
      }
    }
  }

  private static void host(Trial trial) {
    ResourceRef ref =
        trial.things().create(trial.things().machine(trial.key(), trial.place())).ref();
    String host = trial.things().awaitReady(ref).host();
    Expect.that(
        host != null && !host.isBlank(),
        "a machine is READY without an address: show it as CREATING until its host is known");
  }

  private static void sameAddress(Trial trial) {
    ResourceRef ref =
        trial.things().create(trial.things().machine(trial.key(), trial.place())).ref();
    Optional<MachineAddress> first = access(trial.things().awaitReady(ref));
    for (int looks = 0; looks < LOOKS; looks++) {
      Expect.same(
          first,
          trial.things().ready(ref).flatMap(DescribeChecks::access),
          "the address of a READY machine, as describe() shows it");
    }
    Expect.same(
        first,
        trial
            .reopened()
            .provisioner()
            .flatMap(again -> again.describe(ref))
            .flatMap(DescribeChecks::access),
        "the address of a READY machine, as describe() of a new server shows it");
    for (Found listed : trial.things().awaitListed(ref.key(), 1)) {
      // A list may lie behind, or leave addresses out.
      if (listed.state() == Found.State.READY && listed.access() != null) {
        Expect.same(first, access(listed), "the address of a READY machine, as list() shows it");
      }
    }
  }

  private static Optional<MachineAddress> access(Found found) {
    return Optional.ofNullable(found.access());
  }

  private static void privateAddresses(Trial trial) {
    String one = privateAddress(trial);
    String other = privateAddress(trial);
    Expect.that(
        !one.equals(other),
        "two machines have the private address %s: leave it out of the address if other machines"
                .formatted(one)
            + " cannot use it");
  }

  private static String privateAddress(Trial trial) {
    ResourceRef ref =
        trial.things().create(trial.things().machine(trial.key(), trial.place())).ref();
    return access(trial.things().awaitReady(ref))
        .map(MachineAddress::privateAddress)
        .orElseThrow(() -> new NotApplicable("its machines have no private addresses"));
  }

  private static void another(Trial trial) {
    ResourceRef ref = trial.things().createVisible(trial.things().sample(trial.key())).ref();
    same(ref, trial.reopened().provisioner().flatMap(again -> again.describe(ref)));
  }
}
