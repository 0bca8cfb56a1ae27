package dev.berth.cli;

import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what happened. */
@Command(name = "event", description = "Show what happened, the oldest first.")
final class EventCommand implements Callable<Integer> {
  private static final int WAIT_SECONDS = 20;
  private static final int PAGE = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--after",
      paramLabel = "SEQ",
      description = "Only events after this number.",
      defaultValue = "0")
  private long after;

  @Option(
      names = {"-w", "--watch"},
      description = "Go on with new events until interrupted.")
  private boolean watch;

  @Option(
      names = {"-a", "--all"},
      description = "Those of the whole installation, for a global admin.")
  private boolean all;

  @Option(names = "--json", description = "Print JSON, with --watch one object a line.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      List<EventView> events = new ArrayList<>();
      long position = after;
      while (true) {
        EventList page = page(connection, position);
        if (json && !watch) {
          events.addAll(page.events());
        } else {
          page.events().forEach(event -> print(event, out));
          out.flush();
        }
        boolean more = page.next() > position;
        position = page.next();
        if (!watch && (!more || page.events().isEmpty())) {
          break;
        }
      }
      if (json) {
        Json.print(Map.of("events", events.stream().map(Json::tree).toList()), out);
      }
      return ExitCode.OK;
    }
  }

  private EventList page(Connection connection, long position) {
    int wait = watch ? WAIT_SECONDS : 0;
    return all
        ? connection.client().allEvents(position, PAGE, wait)
        : connection.client().events(connection.project(), position, PAGE, wait);
  }

  private void print(EventView event, PrintWriter out) {
    if (json) {
      Json.printLine(Json.tree(event), out);
    } else {
      out.println(
          event.seq()
              + "  "
              + event.at()
              + "  "
              + event.kind()
              + "  "
              + event.entityId()
              + "  "
              + event.actor()
              + "  "
              + Json.line(event.data()));
    }
  }
}
