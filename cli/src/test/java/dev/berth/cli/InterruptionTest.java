package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What Ctrl-C does while a run is followed. */
final class InterruptionTest {
  /** Notes what was done; answers may press Ctrl-C themselves. */
  private static final class Notes implements Interruption.Choices {
    private final List<String> done = new ArrayList<>();
    private final Deque<Runnable> before = new ArrayDeque<>();
    private final Deque<String> answers = new ArrayDeque<>();
    private boolean stopped = true;

    Notes answers(String... typed) {
      answers.addAll(Arrays.asList(typed));
      return this;
    }

    @Override
    public void leaveLine() {}

    @Override
    public @Nullable String ask() {
      done.add("ask");
      if (!before.isEmpty()) {
        before.pop().run();
      }
      return answers.poll();
    }

    @Override
    public void goOn() {
      done.add("go on");
    }

    @Override
    public boolean stop() {
      done.add("stop");
      return stopped;
    }

    @Override
    public boolean kill() {
      done.add("kill");
      return true;
    }

    @Override
    public void detach() {
      done.add("detach");
    }
  }

  private final Notes notes = new Notes();
  private final Interruption terminal = new Interruption(Interruption.First.ASK, notes);

  @Test
  void theFirstOneAsksUntilItGetsAnAnswer() {
    notes.answers("maybe", "x", "s");
    terminal.interrupt();
    assertThat(notes.done).containsExactly("ask", "ask", "ask", "go on", "stop");
  }

  @Test
  void stoppingTakesOneMoreToKill() {
    notes.answers("Stop");
    terminal.interrupt();
    terminal.interrupt();
    terminal.interrupt();
    assertThat(notes.done).containsExactly("ask", "go on", "stop", "kill", "kill");
  }

  @Test
  void theSecondOneStopsWithoutAnAnswer() {
    notes.answers("detach");
    notes.before.add(terminal::interrupt);
    terminal.interrupt();
    assertThat(notes.done)
        .as("what is typed too late counts no more")
        .containsExactly("ask", "go on", "stop");
  }

  @Test
  void detachingAndTheEndOfTheInputLeaveTheRunAlone() {
    notes.answers(" D ");
    terminal.interrupt();
    Notes closed = new Notes();
    new Interruption(Interruption.First.ASK, closed).interrupt();
    assertThat(notes.done).containsExactly("ask", "detach").isEqualTo(closed.done);
  }

  @Test
  void enterKeepsFollowingAndTheNextOneAsksAgain() {
    notes.answers("", "d");
    terminal.interrupt();
    terminal.interrupt();
    assertThat(notes.done).containsExactly("ask", "go on", "ask", "detach");
  }

  @Test
  void whereStoppingFailedTheNextOneAsksAgain() {
    notes.answers("s", "d").stopped = false;
    terminal.interrupt();
    terminal.interrupt();
    assertThat(notes.done).containsExactly("ask", "go on", "stop", "ask", "detach");
  }

  @Test
  void withoutATerminalNobodyIsAsked() {
    Interruption submitted = new Interruption(Interruption.First.STOP, notes);
    submitted.interrupt();
    submitted.interrupt();
    assertThat(notes.done).containsExactly("go on", "stop", "kill");
    Notes attached = new Notes();
    new Interruption(Interruption.First.DETACH, attached).interrupt();
    assertThat(attached.done).containsExactly("detach");
  }
}
