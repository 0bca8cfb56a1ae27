package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.RunView;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicInteger;

/** Follows a run in the terminal: its output, its ports, Ctrl-C, and its exit code. */
final class Attachment {
  private static final int RECONNECTS = 20;

  private final PrintWriter err;
  private final PortForwards forwards;
  private final boolean output;

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
   * Follows the run to its end and returns the exit code for the shell. Ctrl-C stops the run, and
   * kills it the second time.
   */
  int follow(Connection first, RunView run) {
    AtomicInteger interrupts = new AtomicInteger();
    Interrupts.handle(
        () -> Thread.ofVirtual().start(() -> stop(run, interrupts.incrementAndGet() > 1)));
    return toTheEnd(first, run);
  }

  /** The same, but Ctrl-C leaves the run alone. */
  int followOnly(Connection first, RunView run) {
    Interrupts.handle(() -> Thread.ofVirtual().start(() -> detach(run)));
    return toTheEnd(first, run);
  }

  /** Whoever waits for the server cannot be told, so the process ends here. */
  private void detach(RunView run) {
    err.println(
        "berth: detached; %s goes on. Stop it with: berth stop %s"
            .formatted(run.name(), run.name()));
    err.flush();
    System.out.flush();
    System.exit(ExitCode.OK);
  }

  private int toTheEnd(Connection first, RunView run) {
    forwards.lead(first, run);
    BerthClient.Position position = new BerthClient.Position();
    StartProgress progress = StartProgress.of(err);
    Connection connection = first;
    int failures = 0;
    while (true) {
      try {
        RunView end = follow(connection, run, position, progress);
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
    try (StartWatch watch = new StartWatch(connection, run, progress)) {
      watch.start();
      return connection
          .client()
          .follow(
              connection.project(),
              run.id(),
              0,
              position,
              new Terminal(run.name(), watch, progress));
    }
  }

  /** What a run did without that was over before anybody looked. */
  private void warn(Connection connection, RunView run, StartProgress progress) {
    try {
      progress.warn(connection.client().progress(connection.project(), run.id()).warnings());
    } catch (ClientException e) {
      // 404: the server is an older one, or the run is deleted already.
      if (e.status() != 404) {
        err.println("berth: it is not known whether there were warnings: " + e.getMessage());
        err.flush();
      }
    }
  }

  /** A connection to the server, or the old one where even the new server went away at once. */
  private Connection reopened(Connection before) {
    try {
      return Connection.open(err);
    } catch (CommandFailure e) {
      err.println("berth: " + e.getMessage() + "; trying again");
      err.flush();
      return before;
    }
  }

  private void stop(RunView run, boolean abort) {
    err.println(
        abort
            ? "berth: killing " + run.name()
            : "berth: stopping " + run.name() + " (Ctrl-C again kills it)");
    err.flush();
    try (Connection connection = Connection.open(err)) {
      connection.client().stop(connection.project(), run.id(), abort);
    } catch (ClientException e) {
      err.println("berth: it could not be stopped: " + e.getMessage());
      err.flush();
    }
  }

  /** The job's own code; 1 where it never ran or was ended by us. */
  private int exitCode(RunView end) {
    Integer code = end.exitCode();
    if (!end.status().equals("done")) {
      err.println(
          "berth: "
              + end.name()
              + " "
              + end.status()
              + (end.message() == null ? "" : ": " + end.message()));
      err.flush();
    }
    return code == null ? ExitCode.FAILED : code;
  }

  /** Output goes through as it is. */
  private final class Terminal implements BerthClient.Follower {
    private final String name;
    private final StartWatch watch;
    private final StartProgress progress;

    Terminal(String name, StartWatch watch, StartProgress progress) {
      this.name = name;
      this.watch = watch;
      this.progress = progress;
    }

    @Override
    public void attempt(int number) {
      if (number > 1) {
        watch.again();
        progress.leaveLine();
        err.println("berth: attempt " + number + " of " + name);
        err.flush();
      }
    }

    @Override
    public void stdout(byte[] bytes) {
      if (!output) {
        return;
      }
      progress.leaveLine();
      System.out.write(bytes, 0, bytes.length);
      System.out.flush();
    }

    @Override
    public void stderr(byte[] bytes) {
      if (!output) {
        return;
      }
      progress.leaveLine();
      System.err.write(bytes, 0, bytes.length);
      System.err.flush();
    }
  }
}
