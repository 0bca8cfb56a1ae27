package dev.berth.server;

import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.RunRequest;
import dev.berth.model.config.TaskConfiguration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of a run that a request carries. */
final class TaskTree {
  private TaskTree() {}

  /** The task with its defaults, under the name that the request gives it. */
  static TaskConfiguration read(RunRequest request) {
    Object type = request.configuration().get("type");
    if (!"task".equals(type)) {
      throw new ApiException(
          422,
          "only tasks run in this version, not " + type,
          List.of(new FieldProblem("type", "only tasks run in this version")));
    }
    try {
      Map<String, @Nullable Object> tree = new LinkedHashMap<>(request.configuration());
      if (request.name() != null) {
        tree.put("name", request.name());
      }
      return (TaskConfiguration)
          ConfigurationReader.readNormalised(Kind.TASK, tree, ConfigurationReader.Defaults.FILLED);
    } catch (IllegalArgumentException e) {
      throw new ApiException(422, "the configuration is wrong: " + e.getMessage());
    }
  }

  /** The same as a tree, so that what was not written is no change against what stands for it. */
  static Map<String, @Nullable Object> filled(RunRequest request) {
    return ConfigurationReader.normalise(read(request));
  }
}
