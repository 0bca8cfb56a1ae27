package dev.berth.server;

import dev.berth.control.Engine;
import dev.berth.model.api.FieldProblem;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the words under {@code backends} of a file mean: names of backends, or their types. */
final class BackendWords {
  private final Engine engine;

  /** The type of a backend, by its name. */
  private final Function<String, String> types;

  BackendWords(Engine engine, Function<String, String> types) {
    this.engine = engine;
    this.types = types;
  }

  String typeOf(String name) {
    return types.apply(name);
  }

  /** A problem for each word that no backend answers to. */
  List<FieldProblem> unknown(@Nullable List<String> words) {
    return (words == null ? List.<String>of() : words)
        .stream()
            .filter(word -> engine.backends().keySet().stream().noneMatch(name -> is(name, word)))
            .map(
                word ->
                    new FieldProblem(
                        "backends",
                        "there is no backend '"
                            + word
                            + "'; berth backend list shows those there are"))
            .toList();
  }

  private boolean is(String name, String word) {
    return name.equals(word) || types.apply(name).equals(word);
  }
}
