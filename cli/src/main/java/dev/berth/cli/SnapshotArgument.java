package dev.berth.cli;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.index.StoredVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Names a snapshot on the command line: a file, a source (its newest), or a source with a version
 * after an at sign, where {@code previous} is the one before the newest.
 */
final class SnapshotArgument {
  static final String FORMS = "SOURCE, SOURCE@previous, SOURCE@VERSION or a file";

  private SnapshotArgument() {}

  static SnapshotContent read(String argument, CatalogStore store) {
    Path file = Path.of(argument);
    if (Files.isRegularFile(file)) {
      return Snapshot.open(file).content();
    }
    int at = argument.indexOf('@');
    String source = at < 0 ? argument : argument.substring(0, at);
    List<StoredVersion> versions = store.versions(source);
    if (versions.isEmpty()) {
      throw missing(argument);
    }
    if (at < 0) {
      // Where the newest file is damaged, the one before it is the newest.
      return store.newest(source).orElseThrow(() -> missing(argument)).content();
    }
    String version = argument.substring(at + 1);
    if (version.equals("previous")) {
      if (versions.size() < 2) {
        throw new CommandFailure(ExitCode.FAILED, source + " has only one snapshot so far");
      }
      return open(versions.get(1));
    }
    return versions.stream()
        .filter(stored -> name(stored).startsWith(version) || isVersion(stored, version))
        .findFirst()
        .map(SnapshotArgument::open)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.USAGE,
                    source
                        + " has no snapshot '"
                        + version
                        + "'; there are "
                        + String.join(
                            ", ", versions.stream().map(SnapshotArgument::name).toList())));
  }

  private static CommandFailure missing(String argument) {
    return new CommandFailure(
        ExitCode.USAGE,
        "there is no snapshot '" + argument + "'; expected " + FORMS + " (berth catalog list)");
  }

  private static boolean isVersion(StoredVersion stored, String version) {
    return Snapshot.open(stored.file()).version().filter(version::equals).isPresent();
  }

  private static String name(StoredVersion stored) {
    return String.valueOf(stored.file().getFileName()).replace(".offers", "");
  }

  private static SnapshotContent open(StoredVersion version) {
    return Snapshot.open(version.file()).content();
  }
}
