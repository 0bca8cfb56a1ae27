package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.decisions.Message;
import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.JobObservation;
import dev.berth.model.JobStatus;
import dev.berth.model.Run;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Execution;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Trait;
import java.nio.channels.ByteChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets users into running jobs: commands beside theirs, and their ports. */
final class JobAccess {
  /** The threads and connections of more would be felt by all others. */
  private static final int MOST_COMMANDS = 128;

  private static final int MOST_CONNECTIONS = 1024;
  private static final int HIGHEST_PORT = 65_535;

  private final ControlPlane control;
  private final Store store;
  private final MessageSender sender;
  private final Semaphore commands = new Semaphore(MOST_COMMANDS);
  private final Semaphore connections = new Semaphore(MOST_CONNECTIONS);

  JobAccess(ControlPlane control, Store store, MessageSender sender) {
    this.control = control;
    this.store = store;
    this.sender = sender;
  }

  /** A job that runs, with what can reach it. */
  private record Target(Run run, int node, Attempt attempt, JobRuntime runtime) {}

  /** Runs a command inside of a job; the request becomes the connection with it. */
  void exec(Call call) {
    call.requireUpgrade();
    List<String> command = call.queries("command");
    if (command.isEmpty() || command.getFirst().isEmpty()) {
      throw ApiException.ofField(
          400,
          "parameter",
          "command",
          "expected the command, one 'command' parameter per argument");
    }
    if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw ApiException.ofField(
          400, "parameter", "command", "an argument cannot contain a NUL character");
    }
    Target target = target(call, Trait.EXEC);
    take(commands, MOST_COMMANDS + " commands are running inside jobs");
    Execution execution =
        orGiveBack(
            commands,
            () -> {
              sender.send(
                  call,
                  new Message.Execute(target.run().id(), target.node(), command, call.user()),
                  command);
              return reached(target, () -> target.runtime().exec(target.attempt().id(), command));
            });
    call.talk(new CommandConversation(execution, commands::release));
  }

  /** Connects with a port of a job; the request becomes the connection. */
  void connect(Call call) {
    call.requireUpgrade();
    int port = port(call.path("port"));
    Target target = target(call, Trait.CONNECT);
    take(connections, MOST_CONNECTIONS + " connections to ports of jobs are open");
    ByteChannel channel =
        orGiveBack(
            connections,
            () -> reached(target, () -> target.runtime().connect(target.attempt().id(), port)));
    call.talk(new PortConversation(channel, connections::release));
  }

  private static int port(String word) {
    try {
      int port = Integer.parseInt(word);
      if (port >= 1 && port <= HIGHEST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw noPort(word);
    }
    throw noPort(word);
  }

  private static ApiException noPort(String word) {
    return new ApiException(
        400, "'" + word + "' is not a port; expected a whole number from 1 to " + HIGHEST_PORT);
  }

  private Target target(Call call, Trait trait) {
    Run run = store.run(call.path("project"), call.path("run"));
    int node = LogService.node(call, run);
    int asked = (int) call.number("attempt", 0, 0, Integer.MAX_VALUE);
    Attempt attempt =
        store.attempts(run.id(), node).stream()
            .filter(one -> asked == 0 || one.number() == asked)
            .reduce((_, later) -> later)
            .orElse(null);
    if (attempt == null && asked > 0) {
      throw new ApiException(404, "the run '" + run.name() + "' has no attempt " + asked);
    }
    if (!run.active() || (attempt != null && !attempt.active())) {
      throw new ApiException(
          409,
          "the run '%s' has ended (%s); run it again with: berth apply"
              .formatted(
                  run.name(), attempt == null ? run.status().word() : attempt.status().word()));
    }
    if (attempt == null || attempt.backend() == null || attempt.status() != JobStatus.RUNNING) {
      throw new ApiException(
          409,
          "the run '%s' is not running yet (%s); wait until berth ps shows it as running"
              .formatted(
                  run.name(), attempt == null ? run.status().word() : attempt.status().word()));
    }
    return new Target(run, node, attempt, runtime(attempt, trait));
  }

  private JobRuntime runtime(Attempt attempt, Trait trait) {
    Compute compute = control.backends().get(attempt.backend());
    String name = BackendKey.nameOrNull(attempt.backend());
    if (compute == null) {
      throw new ApiException(
          409, "the backend '" + name + "' of this run was removed, so the run cannot be reached");
    }
    if (!compute.traits().has(trait)) {
      throw new ApiException(
          422,
          trait == Trait.EXEC
              ? "the backend '"
                  + name
                  + "' cannot run commands inside jobs; read the output with berth logs, or run the"
                  + " task on another backend"
              : "the backend '"
                  + name
                  + "' cannot reach ports of jobs; run the task on another"
                  + " backend");
    }
    try {
      return control.runtime(attempt).orElseThrow(() -> notConnected(null));
    } catch (BackendException.Transient e) {
      throw notConnected(e.getMessage());
    }
  }

  private static ApiException notConnected(@Nullable String why) {
    return new ApiException(
        503,
        "the machine of this run cannot be reached now"
            + (why == null ? "" : ": " + why)
            + "; try again",
        List.of(),
        Map.of("Retry-After", "1"));
  }

  private static <T> T reached(Target target, Supplier<T> call) {
    try {
      return call.get();
    } catch (BackendException.Gone e) {
      if (isBeginning(target)) {
        throw notNow(target, "it is still starting");
      }
      throw new ApiException(409, "the run '" + target.run().name() + "' has ended");
    } catch (BackendException.Transient e) {
      throw notNow(target, String.valueOf(e.getMessage()));
    }
  }

  /**
   * An attempt counts as running from when it was handed over: what its backend does not reach may
   * be there in a moment, or just now.
   */
  private static boolean isBeginning(Target target) {
    JobObservation seen = target.runtime().observe(List.of(target.attempt().id())).getFirst();
    return switch (seen) {
      case JobObservation.Prepared _, JobObservation.Running _ -> true;
      case JobObservation.Exited _, JobObservation.Lost _, JobObservation.Absent _ -> false;
    };
  }

  private static ApiException notNow(Target target, String why) {
    return new ApiException(
        503,
        "the run '%s' cannot be reached: %s".formatted(target.run().name(), why),
        List.of(),
        Map.of("Retry-After", "1"));
  }

  private static void take(Semaphore places, String all) {
    if (!places.tryAcquire()) {
      throw new ApiException(
          503,
          all + " through this server, which is the limit; try again later",
          List.of(),
          Map.of("Retry-After", "5"));
    }
  }

  private static <T> T orGiveBack(Semaphore places, Supplier<T> call) {
    boolean done = false;
    try {
      T result = call.get();
      done = true;
      return result;
    } finally {
      if (!done) {
        places.release();
      }
    }
  }
}
