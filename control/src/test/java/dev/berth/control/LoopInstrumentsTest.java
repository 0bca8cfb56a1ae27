package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.OfferView;
import dev.berth.ledger.FencedException;
import dev.berth.ledger.Ledger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a loop tells those who measure it. */
final class LoopInstrumentsTest {
  private final List<String> heard = new ArrayList<>();
  @TempDir Path folder = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private LoopBench bench;

  @SuppressWarnings("NullAway.Init") // set before each test
  private ControlLoop loop;

  @BeforeEach
  void open() {
    bench = new LoopBench(Storage.SQLITE, folder);
    loop =
        new ControlLoop(
            bench.ledger,
            bench.ledger.takeOver(LoopBench.REALM, "measured"),
            bench.clock,
            FailPoint.Observer.NONE,
            bench,
            Decisions.RULES,
            () -> OfferView.NONE,
            new Instruments() {
              @Override
              public void stepped(int messages, Duration lag, Duration took) {
                heard.add(messages + " after " + lag.toSeconds());
              }

              @Override
              public void committed(CommitResult result, Duration took) {
                heard.add(result.word());
              }
            });
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void submit(String id) {
    assertThat(loop.deliver(Envelope.of(Samples.submit(id, id)))).isTrue();
  }

  @Test
  void theLagIsThatOfTheOldestMessageInLine() {
    submit("r1");
    bench.clock.pass(Duration.ofSeconds(7));
    submit("r2");
    bench.clock.pass(Duration.ofSeconds(2));
    assertThat(loop.status().waiting()).isEqualTo(2);
    assertThat(loop.status().lag()).isEqualTo(Duration.ofSeconds(9));
    loop.step();
    assertThat(heard).containsExactly("kept", "2 after 9");
    assertThat(loop.status()).isEqualTo(new LoopStatus(0, Duration.ZERO, true));
  }

  @Test
  void aStepThatTakesLongIsSeenWhileItDoes() {
    List<Duration> lags = new ArrayList<>();
    bench.ledger.beforeCommit =
        () -> {
          bench.clock.pass(Duration.ofSeconds(30));
          lags.add(loop.status().lag());
        };
    submit("r1");
    loop.step();
    assertThat(lags).containsExactly(Duration.ofSeconds(30));
    assertThat(loop.status().lag()).isZero();
  }

  @Test
  void commitsAreToldByHowTheyEnd() {
    bench.ledger.nextCommit = WatchedLedger.Fate.UNKNOWN_LOST;
    submit("r1");
    loop.step();
    bench.ledger.nextCommit = WatchedLedger.Fate.REFUSED;
    submit("r2");
    loop.step();
    assertThat(heard).containsExactly("unclear", "1 after 0", "failed", "1 after 0");
    heard.clear();
    Ledger ledger = bench.ledger;
    ledger.takeOver(LoopBench.REALM, "another");
    submit("r3");
    assertThatThrownBy(loop::step).isInstanceOf(FencedException.class);
    assertThat(heard).containsExactly("stale");
  }
}
