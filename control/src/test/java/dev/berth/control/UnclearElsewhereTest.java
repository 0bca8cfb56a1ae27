package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Message;
import dev.berth.decisions.OfferView;
import dev.berth.decisions.Reply;
import dev.berth.decisions.View;
import dev.berth.ledger.CommitUnknownException;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.FailingCommits;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.SqliteLedger;
import dev.berth.ledger.Tenure;
import dev.berth.ledger.Trimmable;
import dev.berth.model.Action;
import dev.berth.spi.Owner;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits of others than the loop, under its tenure, whose outcome nobody knows. */
final class UnclearElsewhereTest {
  private final FailingCommits commits = new FailingCommits();
  private final SettableClock clock = new SettableClock();
  private final List<Action> handedOver = new ArrayList<>();
  private SqliteLedger ledger;

  @TempDir Path folder;

  @BeforeEach
  void open() {
    ledger = commits.open(folder.resolve("berth.db"));
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  @Test
  void whatALoopDecidesMeanwhileIsDecidedAgainAndAccepted() {
    ControlLoop loop = loop();
    Envelope machine = deliver(loop, Samples.machine(32));
    loop.step();
    assertThat(machine.reply()).isCompleted();
    trimWithoutKnowing(loop);
    Envelope submitted = deliver(loop, Samples.submit("r1", "hello"));
    loop.step();
    assertThat(submitted.reply()).as("nothing could be written").isNotDone();
    assertThat(loop.next(clock.instant())).contains(clock.instant());
    loop.step();
    assertThat(submitted.reply().join()).isEqualTo(new Reply.Accepted("r1", "hello"));
    assertThat(handedOver).extracting(Action::id).containsExactly("r1-0-0-1-start");
    assertThat(ledger.findRealm(LoopBench.REALM).orElseThrow().epoch()).isEqualTo(2);
    assertThat(ledger.findRealm(LoopBench.REALM).orElseThrow().staleWrites()).isZero();
  }

  @Test
  void aLoopThatHasNothingToDoResumesAtOnce() {
    ControlSteps steps = steps();
    ControlStep loop = steps.parts().getFirst();
    loop.step().run();
    assertThat(loop.next().apply(clock.instant())).isEmpty();
    commits.failNext(1);
    assertThatThrownBy(() -> trim(steps.tenure())).isInstanceOf(CommitUnknownException.class);
    assertThat(loop.next().apply(clock.instant())).contains(clock.instant());
    loop.step().run();
    assertThat(steps.tenure().epoch()).isEqualTo(2);
    assertThat(trim(steps.tenure())).isZero();
    assertThat(loop.next().apply(clock.instant())).as("once is enough").isEmpty();
  }

  @Test
  void aResumptionThatIsUnclearItselfIsTriedAgain() {
    ControlLoop loop = loop();
    commits.failNext(2);
    Envelope lost = deliver(loop, Samples.submit("r1", "hello"));
    loop.step();
    assertThat(lost.reply()).isCompletedExceptionally();
    Instant again = loop.next().orElseThrow();
    assertThat(again).isAfter(clock.instant());
    clock.set(again);
    Envelope submitted = deliver(loop, Samples.submit("r2", "other"));
    loop.step();
    assertThat(submitted.reply().join()).isEqualTo(new Reply.Accepted("r2", "other"));
    assertThat(loop.tenure().epoch()).isEqualTo(3);
    assertThat(ledger.list(LoopBench.REALM, EntityQuery.all("run", 10)).items()).hasSize(2);
  }

  private void trimWithoutKnowing(ControlLoop loop) {
    commits.failNext(1);
    assertThatThrownBy(() -> trim(loop.tenure())).isInstanceOf(CommitUnknownException.class);
  }

  private int trim(Tenure tenure) {
    return ledger.trim(tenure, Trimmable.EVENTS, Instant.EPOCH, 1);
  }

  private static Envelope deliver(ControlLoop loop, Message message) {
    Envelope envelope = Envelope.of(message);
    loop.deliver(envelope);
    return envelope;
  }

  /** One that nobody tells of others' commits. */
  private ControlLoop loop() {
    return new ControlLoop(
        ledger,
        ledger.takeOver(LoopBench.REALM, "first"),
        clock,
        FailPoint.Observer.NONE,
        new ControlLoop.Listener() {
          @Override
          public void handOver(Collection<Action> actions, boolean again) {
            handedOver.addAll(actions);
          }

          @Override
          public void committed(View view, int unfinishedActions, long seq) {}

          @Override
          public void reloaded() {}
        },
        Decisions.RULES,
        () -> OfferView.NONE);
  }

  private ControlSteps steps() {
    return new ControlSteps(
        new ControlSteps.Dependencies(
            ledger,
            ledger.takeOver(Ledger.MAIN_REALM, "a test"),
            new Owner("tests"),
            name -> name,
            clock,
            FailPoint.Observer.NONE,
            Decisions.RULES),
        Map.of(),
        handedOver::add,
        (_, _, _) -> {});
  }
}
