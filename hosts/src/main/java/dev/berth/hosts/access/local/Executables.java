package dev.berth.hosts.access.local;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds commands as a shell would. */
public record Executables(List<Path> folders) {
  private static final String DEFAULT_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  public Executables {
    folders = List.copyOf(folders);
  }

  /** The folders of a {@code PATH}; relative ones mean nothing to a server and are left out. */
  public static Executables of(String path) {
    return new Executables(
        Arrays.stream((path.isEmpty() ? DEFAULT_PATH : path).split(":"))
            .flatMap(Executables::folder)
            .toList());
  }

  private static Stream<Path> folder(String text) {
    try {
      Path folder = Path.of(text);
      return folder.isAbsolute() ? Stream.of(folder) : Stream.empty();
    } catch (InvalidPathException unusable) {
      return Stream.empty();
    }
  }

  /** Also looks in further folders, after the others. */
  public Executables and(List<Path> further) {
    return new Executables(Stream.concat(folders.stream(), further.stream()).toList());
  }

  /** The first file of a name that may be run. */
  public Optional<Path> find(String name) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
