package dev.berth.cli;

import dev.berth.client.ClientException;
import dev.berth.model.api.RunView;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Does to a followed run what the person at the terminal decides after Ctrl-C. */
final class RunChoices implements Interruption.Choices {
  private final RunView run;
  private final @Nullable Console keyboard;
  private final StartProgress progress;
  private final OutputGate gate;
  private final PrintWriter err;

  /**
   * Choices about a run.
   *
   * @param keyboard null where nobody can be asked
   */
  RunChoices(
      RunView run,
      @Nullable Console keyboard,
      StartProgress progress,
      OutputGate gate,
      PrintWriter err) {
    this.run = run;
    this.keyboard = keyboard;
    this.progress = progress;
    this.gate = gate;
    this.err = err;
  }

  @Override
  public void leaveLine() {
    if (!progress.leaveLine() && keyboard != null) {
      err.println();
    }
  }

  @Override
  public @Nullable String ask() {
    gate.close();
    err.print(
        "Stop %s, or detach and leave it running? [s/d, Enter to keep following] "
            .formatted(run.name()));
    err.flush();
    return Objects.requireNonNull(keyboard).readLine();
  }

  @Override
  public void goOn() {
    gate.open();
  }

  @Override
  public boolean stop() {
    return send(false, "stopping " + run.name() + " (Ctrl-C again kills it)");
  }

  @Override
  public boolean kill() {
    return send(true, "killing " + run.name());
  }

  private boolean send(boolean abort, String sentence) {
    say(sentence);
    try (Connection connection = Connection.open(err)) {
      connection.client().stop(connection.project(), run.id(), abort);
      return true;
    } catch (ClientException | CommandFailure e) {
      say("it could not be stopped: " + e.getMessage());
      return false;
    }
  }

  /** Whoever waits for the server cannot be told, so the process ends here. */
  @Override
  public void detach() {
    say("detached; %1$s keeps running. To follow it: berth attach %1$s".formatted(run.name()));
    System.out.flush();
    System.exit(ExitCode.OK);
  }

  private void say(String sentence) {
    err.println("berth: " + sentence);
    err.flush();
  }
}
