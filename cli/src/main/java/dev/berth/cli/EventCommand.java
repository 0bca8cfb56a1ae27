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
@Command(name = "event", description = "Show events, oldest first.")
final class EventCommand implements Callable<Integer> {
  private static final int WAIT_SECONDS = 20;
  private static final int PAGE = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--after",
      paramLabel = "SEQ",
      description = "Show only events after this sequence number.",
      defaultValue = "0")
  private long after;

  @Option(
      names = {"-w", "--watch"},
      description = "Keep showing new events until interrupted.")
  private boolean watch;

  @Option(
      names = {"-a", "--all"},
      description = "Show the events of the whole installation; for global admins.")
  private boolean all;

  @Option(names = "--json", description = "Print JSON; with --watch, one object per line.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      List<EventView> events = new ArrayList<>();
      EventTable table = new EventTable(out);
      long position = after;
      while (true) {
        EventList page = page(connection, position);
        if (json && !watch) {
          events.addAll(page.events());
        } else if (json) {
          page.events().forEach(event -> Json.printLine(Json.tree(event), out));
        } else {
          table.print(page.events());
        }
        out.flush();
        boolean more = page.next() > position;
        position = page.next();
        if (!watch && (!more || page.events().isEmpty())) {
          break;
        }
      }
      if (json && !watch) {
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
}
