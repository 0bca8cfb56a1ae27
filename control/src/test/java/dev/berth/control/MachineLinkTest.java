package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.decisions.Message;
import dev.berth.model.Candidate;
import dev.berth.model.Endpoint;
import dev.berth.model.JobObservation;
import dev.berth.model.MachineFacts;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** One machine on which Berth runs jobs, stepped by one thread. */
final class MachineLinkTest {
  private final FakeRuntime runtime = new FakeRuntime();
  private final SettableClock clock = new SettableClock();
  private final List<Message> seen = new ArrayList<>();

  /** What the next attempt to connect comes to. */
  private Supplier<MachineConnector.Connection> connecting = () -> new Opened(runtime);

  private final MachineLink link =
      new MachineLink(
          new MachineConnector.Machine(
              "cloud",
              runtime,
              "m1",
              new ResourceRef(ResourceType.INSTANCE, "m1", "i-1", "eu-1", Map.of()),
              Endpoint.of("10.0.0.1")),
          new MachineConnector() {
            @Override
            public Optional<Equipment> equipmentOn(Compute backend) {
              return Optional.of(new Equipment(Candidate.Execution.PROCESSES, Boots.NONE));
            }

            @Override
            public Connection connect(Machine machine) {
              return connecting.get();
            }
          },
          Samples.sweeps(clock),
          clock,
          seen::add);

  private record Opened(FakeRuntime runtime) implements MachineConnector.Connection {
    @Override
    public JobRuntime jobs() {
      return runtime;
    }

    @Override
    public MachineFacts facts() {
      return MachineFacts.AS_OFFERED;
    }

    @Override
    public void close() {
      runtime.close();
    }
  }

  private static Resource job(Resource.State state) {
    return new Resource(
            "r1-0-0-1", "main", "r1-0-0-1", "cloud", ResourceType.JOB, state, null, null, null)
        .on("m1");
  }

  private void refuse(BackendException refusal) {
    connecting =
        () -> {
          throw refusal;
        };
  }

  @Test
  void aConnectionThatFailsIsTriedAgainLessAndLessOften() {
    refuse(new BackendException.Transient("connection refused", null));
    Instant began = clock.instant();
    List<Long> tried = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      clock.set(link.next(clock.instant()).orElseThrow());
      tried.add(Duration.between(began, clock.instant()).toSeconds());
      link.step(clock.instant());
    }
    assertThat(tried).containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 61L, 91L);
    assertThat(seen)
        .hasSize(8)
        .containsOnly(new Message.NotEquipped("m1", "connection refused", false));
    assertThat(link.runtime()).isEmpty();
    assertThat(link.trouble()).isEqualTo("connection refused");
  }

  @Test
  void aMachineThatCanNeverBeUsedIsReportedAsThat() {
    refuse(new BackendException.Permanent("no Docker", null));
    link.step(clock.instant());
    assertThat(seen).containsExactly(new Message.NotEquipped("m1", "no Docker", true));
  }

  @Test
  void theFactsAreToldAndThenTheJobsAreWatched() {
    link.follow(job(Resource.State.PRESENT));
    link.step(clock.instant());
    assertThat(seen).containsExactly(new Message.Equipped("m1", MachineFacts.AS_OFFERED));
    assertThat(link.runtime()).contains(runtime);
    link.step(clock.instant());
    assertThat(seen.getLast())
        .isEqualTo(new Message.Observed("r1-0-0-1", new JobObservation.Absent()));
  }

  @Test
  void jobsOfAMachineThatDoesNotAnswerAfterARestartAreOutOfSight() {
    refuse(new BackendException.Transient("no route to host", null));
    link.follow(job(Resource.State.PRESENT));
    link.step(clock.instant());
    assertThat(seen).contains(new Message.Unseen("r1-0-0-1"));
    link.follow(job(Resource.State.GONE));
    seen.clear();
    clock.set(link.next(clock.instant()).orElseThrow());
    link.step(clock.instant());
    assertThat(seen).doesNotContain(new Message.Unseen("r1-0-0-1"));
  }

  @Test
  void jobsThatNobodyKnowsAreToldOfWhileTheyAreThere() {
    runtime.become("r9-0-0-1", new JobObservation.Running(clock.instant()));
    Instant began = clock.instant();
    link.step(began);
    seen.clear();
    clock.set(link.next(began).orElseThrow());
    assertThat(clock.instant())
        .isBetween(
            began.plus(Sweeper.FIRST_AFTER), began.plus(Sweeper.FIRST_AFTER.multipliedBy(3)));
    link.step(clock.instant());
    assertThat(seen).singleElement().isInstanceOf(Message.Swept.class);
    Message.Swept swept = (Message.Swept) seen.getFirst();
    assertThat(swept.backend()).isEqualTo("cloud");
    assertThat(swept.machineId()).isEqualTo("m1");
    assertThat(swept.strangers())
        .extracting(Message.Swept.Stranger::key)
        .containsExactly("r9-0-0-1");

    runtime.remove("r9-0-0-1");
    sweep();
    assertThat(seen).as("that it is gone").hasSize(2);
    sweep();
    assertThat(seen).as("nothing is wrong, and was not before").hasSize(2);
    link.forget();
    seen.clear();
    sweep();
    assertThat(seen)
        .as("it may not have been heard")
        .containsExactly(new Message.Swept("cloud", "m1", List.of(), List.of()));
  }

  private void sweep() {
    clock.pass(Sweeper.EVERY);
    link.step(clock.instant());
  }

  @Test
  void aConnectionThatComesAfterTheEndIsClosed() {
    connecting =
        () -> {
          link.close();
          return new Opened(runtime);
        };
    link.step(clock.instant());
    assertThat(runtime.closed).hasValue(1);
    assertThat(link.runtime()).isEmpty();
    assertThat(link.next(clock.instant())).isEmpty();
  }
}
