package dev.berth.server;

import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.RunRequest;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.TaskConfiguration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the configurations that requests carry, under the names that the requests give them. */
final class RequestTree {
  private RequestTree() {}

  /** The task with its defaults. */
  static TaskConfiguration task(RunRequest request) {
    Object type = request.configuration().get("type");
    if (!"task".equals(type)) {
      throw new ApiException(
          422,
          "only tasks are supported so far, not " + type,
          List.of(new FieldProblem("type", "only tasks are supported so far")));
    }
    return (TaskConfiguration) read(Kind.TASK, request.configuration(), request.name());
  }

  /** The fleet with its defaults. */
  static FleetConfiguration fleet(FleetRequest request) {
    if (!"fleet".equals(request.configuration().get("type"))) {
      throw ApiException.ofField(422, "field", "type", "expected the configuration of a fleet");
    }
    return (FleetConfiguration) read(Kind.FLEET, request.configuration(), request.name());
  }

  /**
   * A configuration as a tree with its defaults, so that what was not written is no change against
   * what stands for it.
   */
  static Map<String, @Nullable Object> filled(
      Kind kind, Map<String, @Nullable Object> written, @Nullable String name) {
    return ConfigurationReader.normalise(read(kind, written, name));
  }

  /** A configuration without its defaults, so that one sees what was left out. */
  static Configuration asWritten(
      Kind kind, Map<String, @Nullable Object> written, @Nullable String name) {
    return read(kind, written, name, ConfigurationReader.Defaults.AS_WRITTEN);
  }

  private static Configuration read(
      Kind kind, Map<String, @Nullable Object> written, @Nullable String name) {
    return read(kind, written, name, ConfigurationReader.Defaults.FILLED);
  }

  private static Configuration read(
      Kind kind,
      Map<String, @Nullable Object> written,
      @Nullable String name,
      ConfigurationReader.Defaults defaults) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(written);
    if (name != null) {
      tree.put("name", name);
    }
    try {
      return ConfigurationReader.readNormalised(kind, tree, defaults);
    } catch (IllegalArgumentException e) {
      throw new ApiException(422, "invalid configuration: " + e.getMessage());
    }
  }
}
