package dev.berth.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which project a command is about. */
final class ProjectOption {
  @Option(
      names = {"-p", "--project"},
      paramLabel = "PROJECT",
      description = "The project (default: the one set with berth config).")
  private @Nullable String project;

  String of(Connection connection) {
    return project == null ? connection.project() : project;
  }
}
