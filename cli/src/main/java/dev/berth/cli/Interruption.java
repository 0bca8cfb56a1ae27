package dev.berth.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What Ctrl-C does to a run that is followed. At a terminal the first one asks whether to stop the
 * run or to detach from it, the next one stops it, and one more kills it. Elsewhere nobody can be
 * asked, so the first one stops or detaches.
 *
 * <p>Each Ctrl-C comes on a thread of its own; the state is guarded by this object.
 */
final class Interruption {
  /** What the first Ctrl-C does. */
  enum First {
    ASK,
    STOP,
    DETACH
  }

  /** What can be done about the run. */
  interface Choices {
    /** Leaves the line on which the terminal shows {@code ^C}. */
    void leaveLine();

    /** Asks what to do, and returns what was typed; null at the end of the input. */
    @Nullable String ask();

    /** Goes on following: the question has its answer, or needs none any more. */
    void goOn();

    /** Stops the run; false where that failed. */
    boolean stop();

    /** Kills the run; false where that failed. */
    boolean kill();

    /** Leaves the run alone and ends the command. */
    void detach();
  }

  private enum State {
    FOLLOWING,
    ASKING,
    STOPPING,
    KILLING
  }

  private final First first;
  private final Choices choices;
  private State state = State.FOLLOWING;

  Interruption(First first, Choices choices) {
    this.first = first;
    this.choices = choices;
  }

  /** Ctrl-C was pressed. Returns when that is dealt with, which may take an answer. */
  void interrupt() {
    choices.leaveLine();
    switch (advance()) {
      case FOLLOWING -> choices.detach();
      case ASKING -> decide();
      case STOPPING -> stop();
      case KILLING -> choices.kill();
    }
  }

  private synchronized State advance() {
    state =
        switch (state) {
          case FOLLOWING ->
              switch (first) {
                case ASK -> State.ASKING;
                case STOP -> State.STOPPING;
                case DETACH -> State.FOLLOWING;
              };
          case ASKING -> State.STOPPING;
          case STOPPING, KILLING -> State.KILLING;
        };
    return state;
  }

  private void decide() {
    while (true) {
      String typed = choices.ask();
      // Null is the end of the input, after which nobody can be asked again.
      String answer = typed == null ? "d" : typed.strip().toLowerCase(Locale.ROOT);
      boolean known = answer.isEmpty() || "stop".startsWith(answer) || "detach".startsWith(answer);
      if (!isStillAsking()) {
        // A second Ctrl-C was quicker.
        return;
      }
      if (known) {
        act(answer);
        return;
      }
    }
  }

  private void act(String answer) {
    if (answer.isEmpty()) {
      enter(State.FOLLOWING);
      choices.goOn();
    } else if (answer.startsWith("s")) {
      enter(State.STOPPING);
      stop();
    } else {
      choices.detach();
    }
  }

  private void stop() {
    choices.goOn();
    if (!choices.stop()) {
      enter(State.FOLLOWING);
    }
  }

  private synchronized void enter(State next) {
    state = next;
  }

  private synchronized boolean isStillAsking() {
    return state == State.ASKING;
  }
}
