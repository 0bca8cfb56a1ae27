package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.model.BackendKey;
import dev.berth.model.api.FieldProblem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the words under {@code backends} of a file mean: names of backends, or their types. */
final class BackendWords {
  private final ControlPlane control;

  /** The type of a backend, by its key. */
  private final Function<String, String> types;

  BackendWords(ControlPlane control, Function<String, String> types) {
    this.control = control;
    this.types = types;
  }

  String typeOf(String key) {
    return types.apply(key);
  }

  /** The types of the backends that a project may use, by their names. */
  Map<String, String> of(String project) {
    Map<String, String> found = new TreeMap<>();
    for (String key : control.backends().keySet()) {
      if (BackendKey.isFor(project, key)) {
        found.put(BackendKey.name(key), types.apply(key));
      }
    }
    return found;
  }

  /** A problem for each word that no backend answers to. */
  List<FieldProblem> unknown(String project, @Nullable List<String> words) {
    Map<String, String> known = of(project);
    return (words == null ? List.<String>of() : words)
        .stream()
            .filter(word -> !known.containsKey(word) && !known.containsValue(word))
            .map(
                word ->
                    new FieldProblem(
                        "backends",
                        "there is no backend '" + word + "'; list them with: berth backend list"))
            .toList();
  }
}
