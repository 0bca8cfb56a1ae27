package dev.berth.server;

import dev.berth.model.Run;
import dev.berth.model.RunStatus;
import dev.berth.model.api.FieldProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs that a run names under {@code after}: a name means its newest run. */
final class Dependencies {
  private final Store store;
  private final String project;

  Dependencies(Store store, String project) {
    this.store = store;
    this.project = project;
  }

  /** The ids of those that are not done. */
  List<String> ids(List<String> names) {
    return names.stream()
        .map(name -> store.findRun(project, name))
        .flatMap(Optional::stream)
        .filter(run -> run.status() != RunStatus.DONE)
        .map(Run::id)
        .distinct()
        .toList();
  }

  /** A problem for each that can never succeed. */
  List<FieldProblem> refusals(List<String> names) {
    List<FieldProblem> found = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String problem = problem(name, store.findRun(project, name).orElse(null));
      if (problem != null) {
        found.add(new FieldProblem("after[" + i + "]", problem));
      }
    }
    return found;
  }

  private static @Nullable String problem(String name, @Nullable Run run) {
    if (run == null) {
      return "there is no run '" + name + "'; list them with: berth ps -a";
    }
    String what = "the run '" + name + "' ";
    String remedy =
        ", so a run that depends on it would never start; run it again, or remove it from 'after'";
    return switch (run.status()) {
      case PENDING, SUBMITTED, PROVISIONING, RUNNING, TERMINATING, DONE -> null;
      case FAILED -> what + "has failed" + remedy;
      case TERMINATED -> what + "was stopped" + remedy;
    };
  }
}
