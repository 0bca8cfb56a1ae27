package dev.berth.grammar;

import dev.berth.model.config.Configuration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The kinds of files that Berth reads. */
public enum Kind {
  TASK("task", () -> Runs.TASK),
  SERVICE("service", () -> Services.SERVICE),
  DEV_ENVIRONMENT("dev-environment", () -> DevEnvironments.DEV_ENVIRONMENT),
  FLEET("fleet", () -> Fleets.FLEET),
  VOLUME("volume", () -> VolumesAndGateways.VOLUME),
  GATEWAY("gateway", () -> VolumesAndGateways.GATEWAY),
  PROFILES("profiles", () -> Profiles.PROFILES),
  SERVER("server", () -> ServerSettings.SERVER);

  private final String word;

  /** Asked when it is needed: most files are of one kind, and to describe all takes longer. */
  private final Supplier<RecordShape<? extends Configuration>> shape;

  Kind(String word, Supplier<RecordShape<? extends Configuration>> shape) {
    this.word = word;
    this.shape = shape;
  }

  /** The word for it: the value of {@code type} where the file has one. */
  public String word() {
    return word;
  }

  RecordShape<? extends Configuration> shape() {
    return shape.get();
  }

  /** Whether files of this kind say so with {@code type}. */
  boolean hasType() {
    return this != PROFILES && this != SERVER;
  }

  public static Optional<Kind> of(String word) {
    return Stream.of(values()).filter(kind -> kind.word.equals(word)).findFirst();
  }

  public static List<String> words() {
    return Stream.of(values()).map(Kind::word).toList();
  }

  /** JSON Schema 2020-12 of this kind, for editors and other tools. */
  public Map<String, Object> schema() {
    SchemaBuilder schemas = new SchemaBuilder();
    return schemas.document("Berth " + word, shape().schema(schemas));
  }
}
