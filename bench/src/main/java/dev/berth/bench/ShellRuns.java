package dev.berth.bench;

import dev.berth.client.BerthClient;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Submits tasks of one shell command to a server and waits for their ends. Used by one thread. */
final class ShellRuns {
  private static final int EVENTS_AT_ONCE = 1000;
  private static final int WAIT_SECONDS = 30;
  private static final Duration END_WITHIN = Duration.ofMinutes(2);

  private final BerthClient client;
  private final Map<String, @Nullable Object> configuration;
  private final List<String> ended = new ArrayList<>();

  /** How runs ended that nobody waited for yet. */
  private final Map<String, String> statuses = new HashMap<>();

  private long seen;

  ShellRuns(BerthClient client, String command) {
    this(client, command, "");
  }

  /**
   * Tasks with more than a command.
   *
   * @param fields lines of YAML, each with its end
   */
  ShellRuns(BerthClient client, String command, String fields) {
    this.client = client;
    String yaml = "type: task\n" + fields + "commands:\n  - |\n    " + command + "\n";
    this.configuration =
        ConfigurationReader.normalise(
            ConfigurationReader.read(
                    yaml.getBytes(StandardCharsets.UTF_8), ConfigurationReader.Defaults.AS_WRITTEN)
                .configuration()
                .orElseThrow());
  }

  /** Submits the task and returns the run's id. */
  String submit() {
    return client
        .submit(
            TemporaryServer.PROJECT,
            new RunRequest(null, configuration),
            UUID.randomUUID().toString())
        .id();
  }

  /** Returns as soon as the server has told that the run is done; another end is a failure. */
  void awaitDone(String run) throws IOException {
    long deadline = System.nanoTime() + END_WITHIN.toNanos();
    while (System.nanoTime() < deadline) {
      String status = statuses.remove(run);
      if (status != null) {
        ended.add(run);
        if (!"done".equals(status)) {
          throw new IOException("the run " + run + " ended otherwise: " + status);
        }
        return;
      }
      EventList page = client.events(TemporaryServer.PROJECT, seen, EVENTS_AT_ONCE, WAIT_SECONDS);
      seen = Math.max(seen, page.next());
      for (EventView event : page.events()) {
        if (event.kind().equals("run.ended")) {
          statuses.put(event.entityId(), String.valueOf(event.data().get("status")));
        }
      }
    }
    throw new IOException("the run " + run + " did not end");
  }

  /** The first piece of what the run wrote to its standard output: all of it where it is short. */
  byte[] output(String run) {
    return client
        .log(TemporaryServer.PROJECT, run, BerthClient.Source.FIRST_NODE, "stdout", 0)
        .bytes();
  }

  /** Deletes the runs that have ended, so that each sample finds the same server. */
  void deleteEnded() {
    ended.forEach(run -> client.delete(TemporaryServer.PROJECT, run));
    ended.clear();
  }
}
