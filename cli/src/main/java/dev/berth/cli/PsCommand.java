package dev.berth.cli;

import dev.berth.model.api.RunList;
import dev.berth.model.api.RunView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists runs. */
@Command(name = "ps", description = "List runs, newest first.")
final class PsCommand implements Callable<Integer> {
  private static final Duration EVERY = Duration.ofSeconds(2);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-a", "--all"},
      description = "Include runs that have ended.")
  private boolean all;

  @Option(
      names = {"-n", "--last"},
      paramLabel = "N",
      description = "Maximum number of runs to show (default: ${DEFAULT-VALUE}).",
      defaultValue = "100")
  private int last = 100;

  @Option(names = "--json", description = "Print JSON; with --watch, one object per line.")
  private boolean json;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Keep watching until Ctrl-C: the table is refreshed at a terminal, and changes are"
              + " printed elsewhere.")
  private boolean watch;

  @Override
  public Integer call() throws InterruptedException {
    if (last < 1) {
      throw new CommandFailure(ExitCode.USAGE, "--last takes a number from 1, not " + last);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      if (watch) {
        return watch(connection, out);
      }
      List<RunView> runs = list(connection);
      if (json) {
        Json.print(Map.of("runs", runs.stream().map(PsCommand::tree).toList()), out);
      } else {
        print(runs, out);
      }
      return ExitCode.OK;
    }
  }

  private void print(List<RunView> runs, PrintWriter out) {
    RunTable.of(runs).print(out);
    if (runs.isEmpty()) {
      out.println(
          all ? "There are no runs." : "No active runs; see finished ones with: berth ps -a");
    }
  }

  private int watch(Connection connection, PrintWriter out) throws InterruptedException {
    if (Keyboard.find() != null && !json) {
      LiveScreen screen = new LiveScreen(out);
      screen.open();
      while (true) {
        StringWriter text = new StringWriter();
        print(list(connection), new PrintWriter(text));
        screen.draw(text.toString());
        Thread.sleep(EVERY);
      }
    }
    Interrupts.handle(() -> Thread.ofPlatform().daemon().start(() -> System.exit(ExitCode.OK)));
    RunWatch changes = new RunWatch(RunWatch.at(connection.client(), connection.project()));
    while (true) {
      for (RunView run : changes.changes(list(connection))) {
        if (json) {
          Json.printLine(tree(run), out);
        } else {
          out.println(RunWatch.line(run, Instant.now()));
        }
      }
      out.flush();
      Thread.sleep(EVERY);
    }
  }

  private List<RunView> list(Connection connection) {
    List<RunView> runs = new ArrayList<>();
    String cursor = null;
    do {
      RunList page =
          connection
              .client()
              .list(connection.project(), all, Math.clamp(last - runs.size(), 1, 1000), cursor);
      runs.addAll(page.runs());
      cursor = page.next();
    } while (cursor != null && runs.size() < last);
    return runs;
  }

  private static Map<String, @Nullable Object> tree(RunView run) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("name", run.name());
    tree.put("type", run.type());
    tree.put("status", run.status());
    tree.put("reason", run.reason());
    tree.put("exit_code", run.exitCode());
    tree.put("backend", run.backend());
    tree.put("price", run.price());
    tree.put("cost", run.cost());
    tree.put("message", run.message());
    tree.put("priority", run.priority());
    tree.put("nodes", run.nodes());
    tree.put("attempt", run.attempt());
    tree.put("after", run.after());
    tree.put("next_at", run.nextAt() == null ? null : run.nextAt().toString());
    tree.put("submitted_at", run.submittedAt().toString());
    tree.put("finished_at", run.finishedAt() == null ? null : run.finishedAt().toString());
    return tree;
  }
}
