package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.ResourceVector;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Messages and machines for tests. */
final class Samples {
  static final String PROJECT = "main";
  static final String BACKEND = "here";

  /** No machine on which Berth runs jobs. */
  static final MachineLinks NO_MACHINES =
      new MachineLinks(MachineConnector.NONE, Map.of(), (_, _) -> {});

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

  private static TaskConfiguration task() {
    RunSettings run =
        new RunSettings(
            null,
            null,
            null,
            false,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            new ResourcesSpec(null, null, null, null, null),
            null,
            List.of(),
            null,
            List.of(),
            List.of(),
            false);
    return new TaskConfiguration(run, profile(), List.of("true"), List.of(), null, null);
  }

  private static ProfileParams profile() {
    return new ProfileParams(
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        TimeLimit.of(GRACE),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
