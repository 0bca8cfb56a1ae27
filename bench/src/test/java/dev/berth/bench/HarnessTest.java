package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HarnessTest {
  @Test
  void samplesAndPeersTakeTurnsAndTheFirstDoNotCount() throws Exception {
    Recorded recorded = new Recorded(new ArrayList<>());
    try (Workplace place = Workplace.open(Path.of(""))) {
      List<Result> results = new Harness(1, 3).run(recorded, place);
      assertThat(results).hasSize(2);
      // The values are the numbers of the calls: 0 is the warm-up.
      assertThat(results.get(0).value()).isEqualTo(4);
      assertThat(results.get(0).peerValue()).isEqualTo(5);
      assertThat(results.get(1).value()).isEqualTo(40);
      assertThat(results.get(1).peerValue()).isNull();
    }
    assertThat(recorded.calls())
        .containsExactly("ours", "peer", "ours", "peer", "ours", "peer", "ours", "peer", "close");
  }

  @Test
  void readingConfigurationsIsMeasured() throws Exception {
    try (Workplace place = Workplace.open(Path.of(""))) {
      List<Result> results = new Harness(0, 1).run(new GrammarRead(2), place);
      assertThat(results).hasSize(1);
      assertThat(results.getFirst().value()).isPositive();
      assertThat(results.getFirst().peerValue()).isPositive();
    }
  }

  @Test
  void aWorkplaceEndsItsProcessesAndRemovesItsFolder() throws Exception {
    Process process;
    Path folder;
    try (Workplace place = Workplace.open(Path.of(""))) {
      folder = place.folder();
      ProcessBuilder builder = new ProcessBuilder("sleep", "600");
      builder.environment().put("BERTH_HOME", place.newHome().toString());
      process = place.start(builder);
      // The mark is in the environment only once the new program runs.
      Leftovers leftovers = new Leftovers(folder);
      while (leftovers.find().isEmpty() && process.isAlive()) {
        Thread.onSpinWait();
      }
      assertThat(leftovers.find()).extracting(ProcessHandle::pid).containsExactly(process.pid());
    }
    assertThat(process.waitFor()).isNotZero();
    assertThat(Files.exists(folder)).isFalse();
  }

  /** Tells in which order it was called. */
  private record Recorded(List<String> calls) implements Benchmark {
    @Override
    public List<Figure> figures() {
      return List.of(new Figure("first", "ms", "peer"), new Figure("second", "ms", null));
    }

    @Override
    public Trial prepare(Workplace place) {
      return new Trial() {
        @Override
        public double[] sample() {
          double call = calls.size();
          calls.add("ours");
          return new double[] {call, call * 10};
        }

        @Override
        public double[] samplePeer() {
          double call = calls.size();
          calls.add("peer");
          return new double[] {call};
        }

        @Override
        public void close() {
          calls.add("close");
        }
      };
    }
  }
}
