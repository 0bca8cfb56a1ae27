package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.model.Container;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import dev.berth.model.RunPolicy;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.spec.RunSpec;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Messages and machines for tests. */
final class Samples {
  static final String PROJECT = "main";
  static final String BACKEND = "here";

  /** No machine on which Berth runs jobs. */
  static final MachineLinks NO_MACHINES =
      new MachineLinks(
          MachineConnector.NONE,
          Map.of(),
          (machine, _, _) -> {
            throw new AssertionError("nobody links " + machine);
          },
          InstantSource.system(),
          (_, _) -> {});

  /** Who looks for jobs that nobody needs where nothing is recorded. */
  static MachineLink.Sweeps sweeps(SettableClock clock) {
    return (machine, jobs, report) ->
        new Sweeper(
            Sweeper.Place.on(machine, jobs, () -> false),
            new Owner("tests"),
            new InMemoryLedger(),
            Ledger.MAIN_REALM,
            () -> 0,
            report,
            Instruments.NONE,
            Sweeper.firstOf(machine.id(), clock.instant()));
  }

  static final Duration GRACE = Duration.ofMinutes(5);

  private Samples() {}

  static Message.Submit submit(String runId, String name) {
    return new Message.Submit(runId, PROJECT, "ann", name, Map.of("type", "task"), task());
  }

  static Message.Stop stop(String name) {
    return new Message.Stop(PROJECT, name, false, "ann");
  }

  static Message.Stop abort(String name) {
    return new Message.Stop(PROJECT, name, true, "ann");
  }

  /** A message that cannot be decided, because it sends an active run back to its beginning. */
  static Message poison(String activeRunId) {
    return submit(activeRunId, "poison");
  }

  static Message.InstanceFound machine(int slots) {
    return new Message.InstanceFound(instance(slots));
  }

  static Instance instance(int slots) {
    return new Instance(
        "m1",
        "",
        "m1",
        BACKEND,
        "",
        Instance.Status.IDLE,
        new ResourceVector(slots, 8, 16_384, 100_000, Set.of()),
        List.of(),
        Map.of(),
        0);
  }

  static JobObservation.Exited exited(int code, Instant at) {
    return new JobObservation.Exited(code, JobObservation.Cause.EXITED, "", at, at);
  }

  static String attemptId(String runId) {
    return runId + "-0-0-1";
  }

  private static RunSpec task() {
    JobSpec job =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            GRACE,
            null,
            JobSpec.Requirements.NONE);
    Wishes wishes = new Wishes(List.of(), OfferFilter.ANY, Container.of("ubuntu")).in(PROJECT);
    return new RunSpec("task", List.of(new Work.Node(job, wishes)), RunPolicy.USUAL);
  }
}
