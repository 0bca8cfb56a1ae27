package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.model.api.RunUsageView;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a run uses. */
@Command(name = "metrics", description = "Show the CPU, memory and GPU usage of a run's jobs.")
final class MetricsCommand implements Callable<Integer> {
  /** The server looks as often; nothing tells of new figures. */
  private static final Duration EVERY = Duration.ofSeconds(10);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", description = "The name or id of the run.")
  private String run = "";

  @Option(
      names = {"-w", "--watch"},
      description = "Keep showing new figures until the run ends.")
  private boolean watch;

  @Option(names = "--json", description = "Print JSON; with --watch, one object per line.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BerthClient client = connection.client();
      // An id goes on to mean the same run when another one takes its name.
      String id = client.get(connection.project(), run).run().id();
      while (true) {
        RunUsageView usage = client.usage(connection.project(), id);
        print(usage, out);
        if (!watch || UsageTable.hasEnded(usage)) {
          return ExitCode.OK;
        }
        Thread.sleep(EVERY);
      }
    }
  }

  private void print(RunUsageView usage, PrintWriter out) {
    if (json && watch) {
      Json.printLine(Json.tree(usage), out);
    } else if (json) {
      Json.print(Json.tree(usage), out);
    } else {
      UsageTable.print(usage, out);
    }
    out.flush();
  }
}
