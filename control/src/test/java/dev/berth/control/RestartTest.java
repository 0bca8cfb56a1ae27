package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.JobObservation;
import dev.berth.model.JobStatus;
import dev.berth.model.RunStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a new loop does with what another one left. */
@ParameterizedClass
@EnumSource(Storage.class)
final class RestartTest {
  private final Storage storage;
  @TempDir Path folder;
  private LoopBench bench;

  RestartTest(Storage storage) {
    this.storage = storage;
  }

  @BeforeEach
  void open() {
    bench = new LoopBench(storage, folder);
    bench.settle(Samples.machine(2));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void actionsThatWereUnderWayAreHandedOverAgain() {
    bench.settle(Samples.submit("r1", "starting"));
    bench.running("r2");
    bench.settle(Samples.stop("r2"));
    bench.restart();
    assertThat(bench.handedOverIds()).containsExactlyInAnyOrder("r1-0-0-1-start", "r2-0-0-1-stop");
    bench.worked("r1", "start");
    assertThat(bench.run("r1").status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void actionsThatWaitForTheirTimeStillDo() {
    bench.settle(Samples.submit("r1", "hello"));
    bench.failed("r1", "start");
    Instant due = bench.loop.next().orElseThrow();
    bench.restart();
    assertThat(bench.handedOver).isEmpty();
    assertThat(bench.loop.next()).contains(due);
    bench.clock.set(due);
    bench.loop.step();
    assertThat(bench.handedOverIds()).containsExactly("r1-0-0-1-start");
  }

  @Test
  void whatIsFinishedIsNotHandedOver() {
    bench.running("r1");
    bench.observe("r1", Samples.exited(0, bench.clock.instant()));
    bench.restart();
    assertThat(bench.handedOver).isEmpty();
    assertThat(bench.loop.next()).isEmpty();
  }

  @Test
  void whoeverWaitsKeepsItsPlaceInTheLine() {
    for (String run : List.of("r1", "r2", "r3", "r4", "r5")) {
      bench.deliver(Samples.submit(run, run));
    }
    bench.loop.step();
    bench.restart();
    bench.observe("r1", Samples.exited(0, bench.clock.instant()));
    assertThat(placed("r3", "r4", "r5")).containsExactly("r3");
    bench.settle(Samples.submit("r6", "r6"));
    bench.observe("r3", Samples.exited(0, bench.clock.instant()));
    assertThat(placed("r4", "r5", "r6")).containsExactly("r4");
    bench.restart();
    bench.observe("r4", Samples.exited(0, bench.clock.instant()));
    assertThat(placed("r5", "r6")).containsExactly("r5");
  }

  @Test
  void namesThatAreTakenStayTaken() {
    bench.running("r1");
    bench.restart();
    assertThat(bench.settle(Samples.submit("r2", "r1")).toString()).contains("NAME_TAKEN");
  }

  @Test
  void aJobThatRanOnIsAdoptedAndItsEndIsDecided() {
    bench.settle(Samples.submit("r1", "hello"));
    bench.restart();
    bench.observe("r1", new JobObservation.Running(bench.clock.instant()));
    assertThat(bench.attempt("r1").status()).isEqualTo(JobStatus.RUNNING);
    bench.restart();
    bench.observe("r1", Samples.exited(3, bench.clock.instant()));
    assertThat(bench.run("r1").exitCode()).isEqualTo(3);
  }

  private List<String> placed(String... runs) {
    return List.of(runs).stream()
        .filter(run -> bench.attempt(run).status() == JobStatus.PROVISIONING)
        .toList();
  }
}
