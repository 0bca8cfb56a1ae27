package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server that runs in the background for one user. Started once however many commands ask at
 * the same time, and found again by its file.
 */
final class EmbeddedServer {
  /** Names the file that the server shall write its AOT cache to when it ends. */
  static final String RECORD_CACHE = "berth.server.record";

  /** Used where no distribution says otherwise. */
  private static final String DEFAULT_FLAGS =
      "-XX:+UseSerialGC -Xmx512m -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED";

  /**
   * On a busy machine a start takes many times as long; one that fails ends, and is told at once.
   */
  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  /** What {@link #describe} writes. Every command reads it, and a JSON reader takes longer. */
  private static final Pattern DESCRIPTION =
      Pattern.compile("\\{\"url\":\"([^\"\\\\]+)\",\"pid\":([0-9]{1,18})}\\s*");

  private final Home home;
  private final PrintWriter err;

  /** A running server, with an open client of it. */
  record Address(String url, long pid, BerthClient client) {}

  EmbeddedServer(Home home, PrintWriter err) {
    this.home = home;
    this.err = err;
  }

  /** What the file of a running server says. */
  static String describe(String url, long pid) {
    return "{\"url\":\"" + url + "\",\"pid\":" + pid + "}\n";
  }

  /** The address of the running server, which is started where there is none. */
  Address ensureRunning() {
    return find().orElseGet(this::start);
  }

  /** The running server, if its file, its process and its answer say so. */
  Optional<Address> find() {
    if (!Files.exists(home.embedded()) || !Files.exists(home.token())) {
      return Optional.empty();
    }
    try {
      Matcher file = DESCRIPTION.matcher(Files.readString(home.embedded()));
      if (!file.matches()) {
        // A torn or foreign file is like none: the next start replaces it.
        return Optional.empty();
      }
      long pid = Long.parseLong(file.group(2));
      boolean alive = ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
      return alive
          ? confirmed(file.group(1), pid, Files.readString(home.token()).strip())
          : Optional.empty();
    } catch (IOException e) {
      // It went away in between, or its bytes are no text.
      return Optional.empty();
    }
  }

  /** A process id may have gone to somebody else, so the server itself must confirm it. */
  private static Optional<Address> confirmed(String url, long pid, String token) {
    BerthClient client = new BerthClient(url, token);
    try {
      if (client.isProcess(pid)) {
        return Optional.of(new Address(url, pid, client));
      }
    } catch (ClientException e) {
      // Nobody answers there, or somebody else does: then there is no server of ours.
      client.close();
      return Optional.empty();
    }
    client.close();
    return Optional.empty();
  }

  private Address start() {
    try {
      Files.createDirectories(home.folder());
      try (FileChannel channel =
              FileChannel.open(
                  home.folder().resolve("embedded.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        // Whoever waited for the lock finds the server that the other one started.
        Optional<Address> running = find();
        return running.isPresent() ? running.get() : launch();
      }
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.NO_SERVER, "the embedded server cannot be started: " + e.getMessage());
    }
  }

  private Address launch() throws IOException {
    Files.createDirectories(home.folder().resolve("server"));
    Files.deleteIfExists(home.embedded());
    err.println("berth: starting a server in the background (" + home.folder() + ") ...");
    err.flush();
    Process process =
        new ProcessBuilder(command("server", "--embedded"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.serverLog().toFile()))
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .directory(home.folder().toFile())
            .start();
    long deadline = System.nanoTime() + START_WITHIN.toNanos();
    while (System.nanoTime() < deadline) {
      Optional<Address> running = Files.exists(home.embedded()) ? find() : Optional.empty();
      if (running.isPresent()) {
        return running.get();
      }
      try {
        if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
          throw new CommandFailure(
              ExitCode.NO_SERVER,
              "the embedded server stopped immediately; see " + home.serverLog() + lastLine());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailure(
            ExitCode.NO_SERVER, "interrupted while the embedded server was starting");
      }
    }
    throw new CommandFailure(
        ExitCode.NO_SERVER,
        "the embedded server did not answer within "
            + START_WITHIN.toSeconds()
            + " s; see "
            + home.serverLog());
  }

  /** In a session of its own, so that closing the terminal or Ctrl-C does not reach it. */
  List<String> command(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of("setsid", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(System.getProperty("berth.server.flags", DEFAULT_FLAGS).split(" ", -1)));
    // A killed server cannot remove the library that SQLite unpacks; here its successor does.
    command.add("-Dorg.sqlite.tmpdir=" + home.folder().resolve("server"));
    String distribution = System.getProperty("berth.distribution");
    if (distribution != null) {
      command.add("-Dberth.distribution=" + distribution);
    }
    String record = System.getProperty(RECORD_CACHE);
    String cache = System.getProperty("berth.server.aot");
    if (record != null) {
      command.add("-XX:AOTCacheOutput=" + record);
    } else if (cache != null && Files.exists(Path.of(cache))) {
      command.addAll(
          List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=auto", "-Xlog:disable", "-Xlog:all=off"));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.berth.cli.Berth"));
    command.addAll(List.of(arguments));
    return command;
  }

  private String lastLine() throws IOException {
    List<String> lines =
        Files.exists(home.serverLog()) ? Files.readAllLines(home.serverLog()) : List.of();
    return lines.isEmpty() ? "" : ": " + lines.getLast();
  }
}
