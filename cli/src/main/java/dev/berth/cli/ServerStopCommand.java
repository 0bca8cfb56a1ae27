package dev.berth.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Ends the server in the background. */
@Command(
    name = "stop",
    description =
        "Stop the server that commands started in the background. Jobs keep running, and the next"
            + " command starts it again.")
final class ServerStopCommand implements Callable<Integer> {
  /** It ends within seconds; what takes so long hangs. */
  private static final int WITHIN_SECONDS = 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Home home = Home.find();
    String url = ClientSettings.load(home).url();
    if (url != null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "commands talk to the server at "
              + url
              + ", which runs on its own; stop it where it was started");
    }
    EmbeddedServer.Address server =
        new EmbeddedServer(home, spec.commandLine().getErr()).find().orElse(null);
    if (server == null) {
      out.println("no server is running in the background");
      return ExitCode.OK;
    }
    server.client().close();
    end(server.pid(), home);
    out.println("stopped the server in the background (pid " + server.pid() + ")");
    return ExitCode.OK;
  }

  private static void end(long pid, Home home) throws InterruptedException {
    ProcessHandle process = ProcessHandle.of(pid).orElse(null);
    if (process == null) {
      // It ended by itself since it answered.
      return;
    }
    process.destroy();
    try {
      process.onExit().get(WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "the server in the background (pid %d) was told to stop, but still runs after %d s; see %s"
              .formatted(pid, WITHIN_SECONDS, home.serverLog()));
    }
  }
}
