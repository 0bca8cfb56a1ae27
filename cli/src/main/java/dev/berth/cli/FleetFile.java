package dev.berth.cli;

import dev.berth.grammar.ConfigurationFile;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.config.Configuration;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file that describes a fleet, made ready for the server. */
final class FleetFile {
  private FleetFile() {}

  /** The fleet that a file describes; empty where it describes something else. */
  static Optional<FleetRequest> find(RunFile.Source file, @Nullable String name, PrintWriter err) {
    ConfigurationFile read =
        ConfigurationReader.read(file.bytes(), ConfigurationReader.Defaults.AS_WRITTEN);
    if (read.kind().filter(kind -> kind == Kind.FLEET).isEmpty()) {
      return Optional.empty();
    }
    String shown = file.path().toString();
    read.errors().forEach(problem -> err.println(problem.format(shown)));
    read.warnings().forEach(problem -> err.println(RunFile.warning(problem, shown)));
    Configuration fleet =
        read.configuration()
            .orElseThrow(() -> new CommandFailure(ExitCode.INVALID_FILE, shown + " is not valid"));
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(ConfigurationReader.normalise(fleet));
    if (name != null) {
      tree.put("name", name);
    }
    return Optional.of(new FleetRequest((String) tree.get("name"), tree));
  }
}
