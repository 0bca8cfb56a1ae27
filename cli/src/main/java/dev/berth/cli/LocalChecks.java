package dev.berth.cli;

import dev.berth.model.api.DoctorView.Check;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What can be looked at on this machine, without a server. */
final class LocalChecks {
  private static final int ANSWER_SECONDS = 10;
  private static final int NEWEST_NEEDED = 25;
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private LocalChecks() {}

  static List<Check> of(Home home) throws InterruptedException {
    List<Check> checks = new ArrayList<>();
    checks.add(java(Runtime.version().feature()));
    checks.add(home(home));
    for (Path secret : List.of(home.token(), home.client())) {
      if (Files.exists(secret)) {
        checks.add(rights(secret));
      }
    }
    checks.add(tool("git", "needed for runs with 'repos'", "git", "--version"));
    checks.add(tool("ssh", "needed to connect to machines", "ssh", "-V"));
    checks.add(
        tool(
            "docker",
            "only needed to run containers on this machine",
            "docker",
            "version",
            "--format",
            "{{.Server.Version}}"));
    return checks;
  }

  static Check java(int feature) {
    return feature >= NEWEST_NEEDED
        ? Check.ok("java", "version " + feature)
        : Check.fail(
            "java",
            "version " + feature + " is too old",
            "use a JDK " + NEWEST_NEEDED + " or later");
  }

  private static Check home(Home home) {
    Path folder = home.folder();
    if (!Files.exists(folder)) {
      return Check.ok("home", folder + " will be created on first use");
    }
    return Files.isDirectory(folder) && Files.isWritable(folder)
        ? Check.ok("home", folder.toString())
        : Check.fail(
            "home",
            folder + " is not a writable folder",
            "change its permissions, or set BERTH_HOME to another folder");
  }

  /** Whether only its owner may read a file that holds a secret. */
  static Check rights(Path secret) {
    try {
      Set<PosixFilePermission> open = EnumSet.copyOf(OTHERS);
      open.retainAll(Files.getPosixFilePermissions(secret));
      return open.isEmpty()
          ? Check.ok("rights", "only you can read " + secret)
          : Check.fail("rights", "other users can read " + secret, "chmod 600 " + secret);
    } catch (IOException | UnsupportedOperationException e) {
      return Check.warn(
          "rights", "cannot tell who can read " + secret + ": " + e, "check its permissions");
    }
  }

  /** Whether a program answers. One that is missing is no failure: not everybody needs each. */
  static Check tool(String name, String purpose, String... command) throws InterruptedException {
    String remedy = "run '" + command[0] + " " + command[1] + "' and correct what it reports";
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return Check.warn(name, "not installed; " + purpose, "install " + name);
    }
    try {
      process.getOutputStream().close();
      // Before its output is read, which would wait for as long as it takes.
      if (!process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        return Check.warn(name, "does not respond; " + purpose, remedy);
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String line =
          said.lines()
              .map(String::strip)
              .filter(one -> !one.isEmpty())
              .findFirst()
              .orElse("it printed nothing");
      return process.exitValue() == 0
          ? Check.ok(name, line)
          : Check.warn(name, "does not work: " + line + "; " + purpose, remedy);
    } catch (IOException e) {
      return Check.warn(name, "its output cannot be read: " + e.getMessage(), remedy);
    } finally {
      process.destroyForcibly();
    }
  }
}
