package dev.berth.backends.docker;

import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.ImageName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * An image with what a minimal Debian has: dash, bash, coreutils, grep, sed and util-linux with
 * their libraries, as they are on this machine.
 */
final class DebianImage {
  static final String NAME = "localhost/berth-test-debian:1";

  private static final List<String> PROGRAMS =
      List.of(
          "bash",
          "cat",
          "chmod",
          "chown",
          "cp",
          "cut",
          "dash",
          "date",
          "env",
          "grep",
          "id",
          "kill",
          "ls",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "setsid",
          "sleep",
          "stat");

  /** A line of ldd with a file: by a name that is looked up, or by its path alone. */
  private static final Pattern LIBRARY = Pattern.compile("(?:=> )?(/\\S+) \\(0x");

  private DebianImage() {}

  static void make(Engine engine) throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Files.exists(Path.of("/etc/debian_version")) && Files.exists(Path.of("/usr/bin/dash")),
        "a minimal debian is not tried: this machine is none, and lends it no programs");
    Tar tar = new Tar();
    TestImages.folders(tar);
    Set<String> libraries = new TreeSet<>();
    for (String program : PROGRAMS) {
      Path file = Path.of("/usr/bin", program);
      tar.file("bin/" + program, Files.readAllBytes(file), 0755);
      libraries.addAll(librariesOf(file));
    }
    Set<String> folders = new TreeSet<>();
    for (String library : libraries) {
      for (int slash = library.indexOf('/', 1);
          slash > 0;
          slash = library.indexOf('/', slash + 1)) {
        folders.add(library.substring(1, slash));
      }
    }
    for (String folder : folders) {
      tar.folder(folder, 0755);
    }
    for (String library : libraries) {
      tar.file(library.substring(1), Files.readAllBytes(Path.of(library)), 0755);
    }
    tar.link("bin/sh", "dash");
    engine
        .images()
        .importTar(
            tar.stream(),
            ImageName.parse(NAME),
            List.of("CMD [\"bash\"]", "WORKDIR /srv", "ENV PATH=/usr/bin:/bin"));
  }

  private static Set<String> librariesOf(Path program) throws IOException, InterruptedException {
    Process ldd = new ProcessBuilder("ldd", program.toString()).start();
    String text = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    ldd.waitFor();
    Set<String> found = new TreeSet<>();
    Matcher matcher = LIBRARY.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
