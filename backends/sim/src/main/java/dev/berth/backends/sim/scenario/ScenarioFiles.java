package dev.berth.backends.sim.scenario;

import dev.berth.spi.BackendException;
import dev.berth.spi.config.ConfigProblem;
import dev.berth.spi.config.ConfigReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Where scenarios are read from: files, or those that come with Berth. */
public final class ScenarioFiles {
  /** The scenarios that come with Berth. */
  public static final List<String> BUILT_IN =
      List.of("calm", "stock-outs", "spot-kills", "flaky-api", "lost-answers");

  /** The setting that names a file. */
  private static final String SETTING = "scenario_file";

  /** A scenario is a page or two; more is some other file, or one without an end. */
  private static final int LARGEST = 1024 * 1024;

  private static final String PREFIX = "builtin:";

  private ScenarioFiles() {}

  /** The scenario of a cloud whose configuration names none. */
  public static SimScenario calm() {
    return ConfigReader.read(SimScenario.class, Map.of());
  }

  /**
   * Reads a scenario.
   *
   * @param file the path of a YAML file, or {@code builtin:NAME}
   * @throws BackendException.BadConfig where it is missing or wrong
   */
  public static SimScenario read(String file) {
    Map<String, @Nullable Object> tree =
        tree(file, file.startsWith(PREFIX) ? builtIn(file.substring(PREFIX.length())) : text(file));
    try {
      return ConfigReader.read(SimScenario.class, tree);
    } catch (BackendException.BadConfig wrong) {
      throw new BackendException.BadConfig(
          wrong.problems().stream().map(problem -> inFile(file, problem)).toList());
    }
  }

  private static ConfigProblem inFile(String file, ConfigProblem problem) {
    return new ConfigProblem(
        SETTING,
        "names %s, where %s"
            .formatted(
                file,
                problem.path().isEmpty()
                    ? "the scenario " + problem.message()
                    : problem.toString()));
  }

  private static String text(String file) {
    try {
      if (!Path.of(file).isAbsolute()) {
        throw bad(
            "names %s, but the server may stand in another folder; write the whole path"
                .formatted(file));
      }
      return regular(Path.of(file));
    } catch (NoSuchFileException | InvalidPathException e) {
      throw bad(
          "names %s, which is not there; write the path of a YAML file, or one of %s%s"
              .formatted(file, PREFIX, String.join(", " + PREFIX, BUILT_IN)));
    } catch (IOException e) {
      throw bad("names %s, which cannot be read: %s".formatted(file, e));
    }
  }

  /** The text of a file; devices and pipes may never end, and are not even opened. */
  private static String regular(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw bad("names %s, which is not a file; write the path of a YAML file".formatted(file));
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw bad(
            "names %s, which has more than the %d bytes that a scenario may have"
                .formatted(file, LARGEST));
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static String builtIn(String name) {
    if (!BUILT_IN.contains(name)) {
      throw bad(
          "names the scenario %s, which does not come with Berth; there are %s"
              .formatted(name, String.join(", ", BUILT_IN)));
    }
    String resource = "/dev/berth/backends/sim/scenarios/" + name + ".yml";
    try (InputStream in = ScenarioFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + resource + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, @Nullable Object> tree(String file, String text) {
    Object loaded;
    try {
      loaded = new Load(LoadSettings.builder().setLabel(file).build()).loadFromString(text);
    } catch (YamlEngineException e) {
      throw bad("names %s, which is no YAML: %s".formatted(file, e.getMessage()));
    }
    if (loaded == null) {
      return Map.of();
    }
    if (!(loaded instanceof Map<?, ?> sections)) {
      throw bad("names %s, which must be a map of settings".formatted(file));
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    sections.forEach((key, value) -> tree.put(String.valueOf(key), value));
    return tree;
  }

  private static BackendException.BadConfig bad(String message) {
    return new BackendException.BadConfig(SETTING, message);
  }
}
