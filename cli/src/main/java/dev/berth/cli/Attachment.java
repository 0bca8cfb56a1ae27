package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunView;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Instant;

/** Follows a run in the terminal: its output, its ports, Ctrl-C, and its exit code. */
final class Attachment {
  private static final int RECONNECTS = 20;

  private final PrintWriter err;
  private final PortForwards forwards;
  private final boolean output;
  private final OutputGate gate = new OutputGate();

  /**
   * Follows with ports.
   *
   * @param output whether what the run writes is shown
   */
  Attachment(PrintWriter err, PortForwards forwards, boolean output) {
    this.err = err;
    this.forwards = forwards;
    this.output = output;
  }

  /**
   * Follows a run that this command submitted to its end, and returns the exit code for the shell.
   * Where nobody can be asked, Ctrl-C stops the run.
   */
  int followSubmitted(Connection first, RunView run) {
    return follow(first, run, "following ", Interruption.First.STOP, "Ctrl-C stops it");
  }

  /** The same of one that was submitted before: where nobody can be asked, Ctrl-C detaches. */
  int follow(Connection first, RunView run) {
    return follow(first, run, "attached to ", Interruption.First.DETACH, "Ctrl-C detaches");
  }

  private int follow(
      Connection first, RunView run, String how, Interruption.First unasked, String explained) {
    Console keyboard = Keyboard.find();
    StartProgress progress = StartProgress.of(err);
    if (run.finishedAt() == null) {
      Interruption interruption =
          new Interruption(
              keyboard == null ? unasked : Interruption.First.ASK,
              new RunChoices(run, keyboard, progress, gate, err));
      // Asking waits for the keyboard, which must not keep the command from ending.
      Interrupts.handle(() -> Thread.ofPlatform().daemon().start(interruption::interrupt));
      say(
          how
              + run.name()
              + (keyboard == null ? " (" + explained + ")" : " (Ctrl-C to stop it or to detach)"));
    }
    return toTheEnd(first, run, progress);
  }

  private int toTheEnd(Connection first, RunView run, StartProgress progress) {
    forwards.lead(first, run);
    BerthClient.Position position = new BerthClient.Position();
    Connection connection = first;
    int failures = 0;
    while (true) {
      try {
        RunView end = follow(connection, run, position, progress);
        if (gate.isClosed()) {
          err.println();
          say(run.name() + " has ended");
        }
        warn(connection, run, progress);
        return exitCode(end);
      } catch (ClientException e) {
        if (!e.isUnreachable() || ++failures > RECONNECTS) {
          throw e;
        }
        // The job goes on without us and without the server; the output continues where it stopped.
        connection = reopened(connection);
        forwards.use(connection);
      }
    }
  }

  private RunView follow(
      Connection connection, RunView run, BerthClient.Position position, StartProgress progress) {
    try (StartWatch watch = new StartWatch(connection, run, progress, gate)) {
      watch.start();
      return connection
          .client()
          .follow(
              connection.project(),
              run.id(),
              0,
              position,
              new Terminal(connection, run, watch, progress));
    }
  }

  /** What a run did without that was over before anybody looked. */
  private void warn(Connection connection, RunView run, StartProgress progress) {
    try {
      progress.warn(connection.client().progress(connection.project(), run.id()).warnings());
    } catch (ClientException e) {
      // 404: the server is an older one, or the run is deleted already.
      if (e.status() != 404) {
        say("it is not known whether there were warnings: " + e.getMessage());
      }
    }
  }

  /** A connection to the server, or the old one where even the new server went away at once. */
  private Connection reopened(Connection before) {
    try {
      return Connection.open(err);
    } catch (CommandFailure e) {
      say(e.getMessage() + "; trying again");
      return before;
    }
  }

  private void say(String sentence) {
    err.println("berth: " + sentence);
    err.flush();
  }

  /** The job's own code; 1 where it never ran or was ended by us. */
  private int exitCode(RunView end) {
    Integer code = end.exitCode();
    if (!end.status().equals("done")) {
      say(end.name() + " " + end.status() + (end.message() == null ? "" : ": " + end.message()));
    }
    return code == null ? ExitCode.FAILED : code;
  }

  /** Output goes through as it is. */
  private final class Terminal implements BerthClient.Follower {
    private final Connection connection;
    private final RunView run;
    private final StartWatch watch;
    private final StartProgress progress;

    Terminal(Connection connection, RunView run, StartWatch watch, StartProgress progress) {
      this.connection = connection;
      this.run = run;
      this.watch = watch;
      this.progress = progress;
    }

    @Override
    public void attempt(int number) {
      if (number > 1) {
        watch.again();
        begin();
        say(announcement(number));
      }
    }

    private String announcement(int number) {
      try {
        RunDetail detail = connection.client().get(connection.project(), run.id());
        return NextAttempt.of(detail, 0, number, Instant.now());
      } catch (ClientException e) {
        // Why and when is a courtesy; a server that is gone shows in the output that follows.
        return "attempt " + number + " of " + run.name();
      }
    }

    /** Waits while a question is open, and begins a new line. */
    private void begin() {
      try {
        gate.pass();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      progress.leaveLine();
    }

    @Override
    public void stdout(byte[] bytes) {
      if (!output) {
        return;
      }
      begin();
      System.out.write(bytes, 0, bytes.length);
      System.out.flush();
    }

    @Override
    public void stderr(byte[] bytes) {
      if (!output) {
        return;
      }
      begin();
      System.err.write(bytes, 0, bytes.length);
      System.err.flush();
    }
  }
}
