package dev.berth.grammar;

import dev.berth.grammar.Reading.Dialect;
import dev.berth.model.config.Configuration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the files of users, and reads and writes the normalised form of what they say. */
public final class ConfigurationReader {
  /** Whether fields that were not written get their defaults. */
  public enum Defaults {
    FILLED,
    AS_WRITTEN
  }

  private ConfigurationReader() {}

  /** Reads a file of any kind; all that is wrong with it is in the result. */
  public static ConfigurationFile read(byte[] bytes, Defaults defaults) {
    YamlReader.Document document;
    try {
      document = YamlReader.read(bytes);
    } catch (SyntaxException e) {
      return new ConfigurationFile(
          Optional.empty(), Optional.empty(), List.of(e.problem()), List.of());
    }
    Reading reading = new Reading(Dialect.USER, defaults == Defaults.FILLED);
    reading.errors(document.problems());
    Optional<Kind> kind = kindOf(document.root(), reading);
    Optional<Configuration> configuration =
        kind.flatMap(found -> Optional.ofNullable(read(found, document.root(), reading)));
    return new ConfigurationFile(
        kind,
        reading.errorCount() == 0 ? configuration : Optional.empty(),
        sorted(reading.errors()),
        sorted(reading.warnings()));
  }

  /** The normalised form: YAML names, units in the names, one spelling for every value. */
  public static Map<String, @Nullable Object> normalise(Configuration configuration) {
    Kind kind = kindOf(configuration);
    return write(kind.shape(), configuration);
  }

  /**
   * Reads a normalised form back.
   *
   * @throws IllegalArgumentException where it is not one, with the first thing that is wrong
   */
  public static Configuration readNormalised(
      Kind kind, Map<String, @Nullable Object> tree, Defaults defaults) {
    Reading reading = new Reading(Dialect.NORMAL, defaults == Defaults.FILLED);
    Configuration configuration = read(kind, Node.ofPlain(tree), reading);
    if (configuration == null || reading.errorCount() > 0) {
      Problem first = reading.errors().getFirst();
      throw new IllegalArgumentException(first.path() + ": " + first.message());
    }
    return configuration;
  }

  public static Kind kindOf(Configuration configuration) {
    for (Kind kind : Kind.values()) {
      if (kind.shape().type().isInstance(configuration)) {
        return kind;
      }
    }
    throw new IllegalStateException("no kind of file describes " + configuration.getClass());
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> Map<String, @Nullable Object> write(
      RecordShape<R> shape, Configuration configuration) {
    return (Map<String, @Nullable Object>) shape.write(shape.type().cast(configuration));
  }

  private static @Nullable Configuration read(Kind kind, Node node, Reading reading) {
    Node prepared =
        kind == Kind.SERVICE && node instanceof Node.Mapping mapping
            ? ReplicaGroups.withGroups(mapping, reading)
            : node;
    return (Configuration) kind.shape().read(prepared, reading);
  }

  private static Optional<Kind> kindOf(Node root, Reading reading) {
    if (!(root instanceof Node.Mapping mapping)) {
      reading.error(
          Rule.EXPECTED_MAPPING,
          root,
          "a configuration is a mapping that starts with 'type', found " + root.kindName());
      return Optional.empty();
    }
    Node.Mapping.Entry type = mapping.entries().get("type");
    if (type == null || type.value().isAbsent()) {
      return kindByKeys(mapping, reading);
    }
    String word = type.value() instanceof Node.Scalar scalar ? scalar.text() : "";
    if (word.equals("preset")) {
      reading
          .field("type")
          .error(
              Rule.PRESET_REFUSED,
              type.value(),
              "presets are an experiment of dstack's client that Berth does not run; write a"
                  + " 'service' with the settings that you want");
      return Optional.empty();
    }
    Optional<Kind> kind = Kind.of(word).filter(Kind::hasType);
    if (kind.isEmpty()) {
      List<String> known =
          Kind.words().stream()
              .filter(name -> Kind.of(name).filter(Kind::hasType).isPresent())
              .toList();
      reading
          .field("type")
          .error(
              Rule.UNKNOWN_KIND,
              type.value(),
              "expected "
                  + Text.alternatives(known)
                  + ", found "
                  + type.value().kindName()
                  + Text.didYouMean(word, known));
    }
    return kind;
  }

  private static Optional<Kind> kindByKeys(Node.Mapping mapping, Reading reading) {
    if (mapping.entries().containsKey("profiles")) {
      return Optional.of(Kind.PROFILES);
    }
    if (ServerSettings.SERVER
        .allFields()
        .anyMatch(field -> mapping.entries().containsKey(field.name))) {
      return Optional.of(Kind.SERVER);
    }
    reading
        .field("type")
        .error(
            Rule.UNKNOWN_KIND,
            mapping,
            "the field 'type' is required: task, service, dev-environment, fleet, volume or"
                + " gateway");
    return Optional.empty();
  }

  private static List<Problem> sorted(List<Problem> problems) {
    List<Problem> sorted = new ArrayList<>(problems);
    sorted.sort(
        Comparator.comparingInt((Problem problem) -> problem.position().line())
            .thenComparingInt(problem -> problem.position().column()));
    return sorted;
  }
}
