package dev.berth.cli;

import dev.berth.model.api.RunList;
import dev.berth.model.api.RunView;
import java.io.PrintWriter;
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
@Command(name = "ps", description = "List runs, the newest first.")
final class PsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-a", "--all"},
      description = "Also runs that have ended.")
  private boolean all;

  @Option(
      names = {"-n", "--last"},
      paramLabel = "N",
      description = "At most so many (default: ${DEFAULT-VALUE}).",
      defaultValue = "100")
  private int last = 100;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      List<RunView> runs = list(connection);
      if (json) {
        Json.print(Map.of("runs", runs.stream().map(PsCommand::tree).toList()), out);
        return ExitCode.OK;
      }
      RunTable.print(runs, out);
      if (runs.isEmpty()) {
        out.println(
            all
                ? "There are no runs."
                : "No run is active; berth ps -a shows those that have ended.");
      }
      return ExitCode.OK;
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
