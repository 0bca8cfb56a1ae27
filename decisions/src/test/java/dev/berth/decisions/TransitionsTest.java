package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.RunPolicy;
import dev.berth.model.RunStatus;
import dev.berth.model.Wishes;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.offers.OfferFilter;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step from every state to every state, allowed or refused as these tables say. */
final class TransitionsTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  private static final String RUN =
      """
      pending: submitted provisioning terminating failed terminated
      submitted: pending provisioning running terminating done failed terminated
      provisioning: pending submitted running terminating done failed terminated
      running: pending submitted provisioning terminating done failed terminated
      terminating: pending done failed terminated
      done:
      failed:
      terminated:
      """;
  private static final String JOB =
      """
      submitted: provisioning terminating done failed terminated aborted
      provisioning: submitted pulling running terminating done failed terminated aborted
      pulling: submitted running terminating done failed terminated aborted
      running: submitted terminating done failed terminated aborted
      terminating: submitted done failed terminated aborted
      done:
      failed:
      terminated:
      aborted:
      """;
  private static final String FLEET =
      """
      active: terminating
      terminating: terminated
      terminated:
      """;
  private static final String ATTEMPT =
      """
      submitted: provisioning terminating done failed terminated aborted
      provisioning: pulling running terminating done failed terminated aborted
      pulling: running terminating done failed terminated aborted
      running: terminating done failed terminated aborted
      terminating: done failed terminated aborted
      done:
      failed:
      terminated:
      aborted:
      """;
  private static final String PLACEMENT =
      """
      reserving: creating unwinding closed
      creating: ready unwinding closed
      ready: unwinding closed
      unwinding: reserving closed
      closed:
      """;
  private static final String RESOURCE =
      """
      intended: asked gone
      asked: present in_doubt leaving gone
      present: leaving gone
      in_doubt: asked present leaving gone
      leaving: gone
      gone:
      """;
  private static final String INSTANCE =
      """
      pending: provisioning terminating
      provisioning: idle busy terminating
      idle: busy unreachable terminating
      busy: idle unreachable terminating
      unreachable: idle busy terminating
      terminating: terminated
      terminated:
      """;

  static Stream<Arguments> steps() {
    return Stream.of(
            steps(RUN, RunStatus.values(), TransitionsTest::run),
            steps(JOB, JobStatus.values(), TransitionsTest::job),
            steps(ATTEMPT, JobStatus.values(), TransitionsTest::attempt),
            steps(FLEET, Fleet.Status.values(), TransitionsTest::fleet),
            steps(PLACEMENT, Placement.State.values(), TransitionsTest::placement),
            steps(RESOURCE, Resource.State.values(), TransitionsTest::resource),
            steps(INSTANCE, Instance.Status.values(), TransitionsTest::instance))
        .flatMap(steps -> steps);
  }

  private static <S extends Enum<S>> Stream<Arguments> steps(
      String table, S[] states, Function<S, Entity> entity) {
    Map<String, Set<String>> allowed = read(table);
    assertThat(allowed.keySet())
        .as("every state has a row")
        .isEqualTo(Arrays.stream(states).map(TransitionsTest::word).collect(Collectors.toSet()));
    return Arrays.stream(states)
        .flatMap(
            from ->
                Arrays.stream(states)
                    .map(
                        to -> {
                          Set<String> next = allowed.getOrDefault(word(from), Set.of());
                          boolean stays = from == to && !next.isEmpty();
                          return Arguments.of(
                              entity.apply(from),
                              entity.apply(to),
                              stays || next.contains(word(to)));
                        }));
  }

  private static Map<String, Set<String>> read(String table) {
    return table
        .lines()
        .map(line -> line.split(":"))
        .collect(
            Collectors.toMap(
                parts -> parts[0],
                parts -> parts.length == 1 ? Set.of() : Set.of(parts[1].strip().split(" "))));
  }

  private static String word(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @MethodSource("steps")
  void aStepIsTakenOnlyIfTheTableHasIt(Entity from, Entity to, boolean allowed) {
    if (allowed) {
      assertThatCode(() -> Transitions.check(from, to)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> Transitions.check(from, to))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "%s %s cannot go from %s to %s",
              from.kind().word(), from.id(), from.state(), to.state());
    }
  }

  @ParameterizedTest
  @MethodSource("steps")
  void whatIsFinishedIsNotActiveAndTheOtherWayRound(Entity from, Entity to, boolean allowed) {
    if (allowed) {
      assertThat(from.active()).isTrue();
    }
    if (from.equals(to)) {
      assertThat(from.active()).isEqualTo(allowed);
    }
  }

  @Test
  void aDraftRefusesAStepThatTheTableDoesNotHave() {
    Draft draft = new Draft(new Memory());
    draft.put(run(RunStatus.TERMINATING));
    assertThatThrownBy(() -> draft.put(run(RunStatus.SUBMITTED)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(draft.find(Run.class, "r1").orElseThrow().status()).isEqualTo(RunStatus.TERMINATING);
  }

  private static Entity run(RunStatus status) {
    return new Run(
        "r1",
        "main",
        "ann",
        "hello",
        "task",
        Map.of(),
        RunPolicy.USUAL,
        status,
        null,
        null,
        null,
        null,
        null,
        0,
        NOON,
        null,
        1,
        null,
        null,
        null);
  }

  private static Entity job(JobStatus status) {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("true"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    return new Job(
        "j1", "main", "r1", 0, 0, List.of(), true, List.of(), List.of(), spec, status, null);
  }

  private static Entity attempt(JobStatus status) {
    return new Attempt(
        "a1", "main", "r1", "j1", 1, "p1", status, null, null, null, null, null, 0, NOON, null,
        null, null);
  }

  private static Entity placement(Placement.State phase) {
    return new Placement(
        "p1",
        "main",
        "r1",
        0,
        phase,
        List.of("a1"),
        List.of(),
        NOON,
        List.of(),
        0,
        "",
        0,
        null,
        NOON);
  }

  private static Entity resource(Resource.State phase) {
    return new Resource("a1", "main", "a1", "here", ResourceType.JOB, phase, null, null, null);
  }

  private static Entity fleet(Fleet.Status status) {
    Fleet.Spec spec =
        new Fleet.Spec(
            new Wishes(List.of(), OfferFilter.ANY, null),
            new FleetNodes(0, 0, null),
            false,
            1,
            null,
            Map.of());
    return new Fleet(
        "f1", "main", "ann", "gpus", Map.of(), spec, status, false, 0, 0, List.of(), null, NOON,
        null);
  }

  private static Entity instance(Instance.Status status) {
    return new Instance(
        "i1", "", "i1", "here", "", status, ResourceVector.NOTHING, List.of(), Map.of(), 0);
  }
}
