package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.backends.sim.SimBackendType;
import dev.berth.backends.sim.SimConfig;
import dev.berth.backends.sim.Waiting;
import dev.berth.control.Codec;
import dev.berth.control.ControlStep;
import dev.berth.control.ControlSteps;
import dev.berth.control.Envelope;
import dev.berth.control.FailPoint;
import dev.berth.decisions.Decisions;
import dev.berth.decisions.Message;
import dev.berth.grammar.Kind;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Run;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.task.TaskPlanner;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that leave GPUs of the simulated cloud idle, from the file to the end, in virtual time. */
class UtilisationTest {
  private static final Instant START = Instant.parse("2026-11-01T12:00:00Z");
  private static final Owner OWNER = new Owner("here");

  private final InMemoryLedger ledger = new InMemoryLedger();
  private final Deque<Action> calls = new ArrayDeque<>();
  private Instant now = START;

  private ControlSteps open(String gives) {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    settings.put("gives", gives);
    settings.put("state", "memory");
    settings.put("scenario", Map.of("gpu_load", Map.of("percent", 80, "busy_for", "10m")));
    InstantSource clock = () -> now;
    var cloud =
        new SimBackendType(Waiting.none())
            .open(
                ConfigReader.read(SimConfig.class, settings),
                new BackendContext("cloud", OWNER, Path.of("unused"), Map.of(), clock));
    ControlSteps steps =
        new ControlSteps(
            new ControlSteps.Dependencies(
                ledger,
                ledger.takeOver(Ledger.MAIN_REALM, "a test"),
                OWNER,
                _ -> "sim",
                clock,
                FailPoint.Observer.NONE,
                Decisions.RULES),
            Map.of("cloud", cloud),
            calls::add,
            (_, _, _) -> {});
    steps.open();
    return steps;
  }

  private static Message.Submit task(String name, int percent) {
    Map<String, @Nullable Object> file =
        new LinkedHashMap<>(RunningServer.task(name, "sleep 3600").configuration());
    file.put(
        "resources",
        Map.of("gpu", Map.of("name", List.of("A100"), "count", Map.of("min", 8, "max", 8))));
    file.put("utilization_policy", Map.of("min_gpu_utilization", percent, "time_window", 300));
    TaskConfiguration written = (TaskConfiguration) RequestTree.asWritten(Kind.TASK, file, name);
    TaskConfiguration filled = (TaskConfiguration) RequestTree.read(Kind.TASK, file, name);
    RunSpec spec =
        new TaskPlanner()
            .plan(new PlanRequest<>("main", written, filled, List.of(), ContainerImages.USUAL))
            .spec();
    return new Message.Submit(name, "main", "ann", name, file, spec);
  }

  @ParameterizedTest
  @ValueSource(strings = {"containers", "machines"})
  void whoIdlesEndsAndWhoWorksGoesOn(String gives) {
    ControlSteps steps = open(gives);
    var _ = steps.send(Envelope.of(task("r1", 50)));
    var _ = steps.send(Envelope.of(task("r2", 0)));
    passUntil(steps, START.plus(Duration.ofMinutes(14)));
    assertThat(attempts()).extracting(Attempt::state).containsExactly("running", "running");

    passUntil(steps, START.plus(Duration.ofMinutes(17)));
    Attempt idle = attempts().getFirst();
    assertThat(idle.state()).isEqualTo("terminated");
    assertThat(idle.reason()).hasToString("TERMINATED_DUE_TO_UTILIZATION_POLICY");
    assertThat(
            Duration.between(
                Objects.requireNonNull(idle.startedAt()),
                Objects.requireNonNull(idle.finishedAt())))
        .isBetween(Duration.ofMinutes(15), Duration.ofMinutes(15).plusSeconds(30));
    assertThat(stored("run", Run.class).getFirst().message())
        .isEqualTo("the utilization of one of its accelerators was below 50 percent for 5 minutes");
    assertThat(attempts().getLast().state()).isEqualTo("running");
  }

  private List<Attempt> attempts() {
    return stored("attempt", Attempt.class);
  }

  private <E extends Entity> List<E> stored(String kind, Class<E> type) {
    return ledger.list("main", EntityQuery.all(kind, 10)).items().stream()
        .map(stored -> type.cast(Codec.entity(stored.row())))
        .sorted((one, other) -> one.id().compareTo(other.id()))
        .toList();
  }

  /** Steps what is due, makes the calls, and otherwise lets time pass. */
  private void passUntil(ControlSteps steps, Instant end) {
    while (now.isBefore(end)) {
      Action call = calls.poll();
      if (call != null) {
        steps.finished(call, steps.call(call));
        continue;
      }
      Optional<ControlStep> due =
          steps.parts().stream()
              .filter(part -> part.next().apply(now).filter(at -> !at.isAfter(now)).isPresent())
              .findFirst();
      if (due.isPresent()) {
        due.get().step().run();
      } else {
        now = now.plusSeconds(1);
      }
    }
  }
}
