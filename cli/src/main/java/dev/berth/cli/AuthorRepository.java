package dev.berth.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The part of the distribution that authors of backends build against, in the layout of a Maven
 * repository.
 *
 * @param version the one version of the contract that it holds
 */
record AuthorRepository(Path folder, String version) {
  /** That of the distribution which this command belongs to. */
  static AuthorRepository find() {
    String distribution = System.getProperty("berth.distribution");
    Path folder = Path.of(distribution == null ? "" : distribution, "repository").toAbsolutePath();
    Path contract = folder.resolve("dev/berth/berth-spi");
    if (distribution == null || !Files.isDirectory(contract)) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "this installation does not include the libraries that backends are built against; use a"
              + " full distribution");
    }
    try (Stream<Path> versions = Files.list(contract)) {
      List<String> found = versions.map(version -> version.getFileName().toString()).toList();
      if (found.size() != 1) {
        throw new CommandFailure(
            ExitCode.FAILED, contract + " must hold one version, not " + found.size());
      }
      return new AuthorRepository(folder, found.getFirst());
    } catch (IOException e) {
      throw new UncheckedIOException(contract + " cannot be read", e);
    }
  }

  /** As it stands in an address after {@code file://}. */
  String path() {
    String path = folder.toUri().getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
