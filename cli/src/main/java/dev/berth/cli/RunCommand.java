package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The former name of {@code show}. The word is kept for workflows. */
@Command(
    name = "run",
    description = "The former name of show: berth run get RUN.",
    subcommands = RunCommand.Get.class)
final class RunCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "to start a run: berth apply -f FILE; to look at one: berth show RUN");
  }

  @Command(name = "get", description = "The former name of: berth show RUN.")
  static final class Get extends ShowCommand {
    @Override
    public Integer call() {
      spec.commandLine().getErr().println("berth: 'berth run get' is now: berth show " + run);
      return super.call();
    }
  }
}
