package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.RunView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds what has changed between two looks at the list of runs. Used by one thread. */
final class RunWatch {
  /** A run that left the list; null where it is not there any more. */
  interface Ends {
    @Nullable RunView find(String id);
  }

  private final Ends ends;
  private Map<String, RunView> before = new LinkedHashMap<>();

  RunWatch(Ends ends) {
    this.ends = ends;
  }

  /** Looks up runs at a server; one that was deleted is not there. */
  static Ends at(BerthClient client, String project) {
    return id -> {
      try {
        return client.get(project, id).run();
      } catch (ClientException e) {
        if (e.status() == 404) {
          return null;
        }
        throw e;
      }
    };
  }

  /** The runs that are new, have changed or have left the list since the last look. */
  List<RunView> changes(List<RunView> runs) {
    List<RunView> changed = new ArrayList<>();
    Map<String, RunView> now = new LinkedHashMap<>();
    for (RunView run : runs) {
      now.put(run.id(), run);
      RunView known = before.get(run.id());
      if (known == null || !state(known).equals(state(run))) {
        changed.add(run);
      }
    }
    for (String id : before.keySet()) {
      RunView ended = now.containsKey(id) ? null : ends.find(id);
      if (ended != null) {
        changed.add(ended);
      }
    }
    before = now;
    return changed;
  }

  /** What is worth a line; the cost of a run grows all the time. */
  private static String state(RunView run) {
    return String.join(
        "\n",
        run.status(),
        String.valueOf(run.reason()),
        String.valueOf(run.message()),
        String.valueOf(run.backend()),
        String.valueOf(run.priority()),
        String.valueOf(run.attempt()),
        String.valueOf(run.nextAt()));
  }

  /** Such as "train pending: attempt 2 in 30 s: the commands ended with exit code 3". */
  static String line(RunView run, Instant now) {
    String more = NextAttempt.of(run, now).orElse(run.message());
    return run.name() + " " + run.status() + (more == null ? "" : ": " + more);
  }
}
