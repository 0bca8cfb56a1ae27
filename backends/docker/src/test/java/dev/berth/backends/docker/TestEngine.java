package dev.berth.backends.docker;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineHttp;
import dev.berth.hosts.docker.EngineRequest;
import dev.berth.hosts.docker.UnixEngine;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A private engine for tests, in a folder of its own and on a socket of its own. Closing it ends
 * the process that was started, by its id, and no other.
 */
public final class TestEngine implements AutoCloseable {
  /**
   * Marks tests that the build runs once more where they fail, because an engine has moments of its
   * own. Tests that kill a server or an engine never carry it: what they find seldom is a bug.
   */
  public static final String TAG = "engine";

  /** Docker's engines share a bridge, so that one of them is there at a time. */
  public static final String DOCKER = "docker";

  static final String PODMAN = "podman";

  private static final int LOOKS = 600;
  private static final long BETWEEN_LOOKS_MS = 100;
  private static final Duration CALL_PATIENCE = Duration.ofMinutes(2);

  private final Path folder;
  private final Path socket;
  private final ProcessBuilder command;

  /** Replaced when it is started again, by the thread of the test. */
  private Process process;

  private TestEngine(Path folder, Path socket, ProcessBuilder command) throws IOException {
    this.folder = folder;
    this.socket = socket;
    this.command = command;
    this.process = command.start();
  }

  public static TestEngine docker() {
    return docker(false);
  }

  /**
   * Docker's.
   *
   * @param liveRestore whether containers go on while it is down
   * @param more of its options
   */
  static TestEngine docker(boolean liveRestore, String... more) {
    require("docker", "docker", "dockerd", "containerd", "runc");
    Path folder = temporary("docker");
    Path socket = folder.resolve("engine.sock");
    List<String> words = new ArrayList<>();
    words.add("dockerd");
    words.add("--host=unix://" + socket);
    words.add("--data-root=" + folder.resolve("data"));
    words.add("--exec-root=" + folder.resolve("exec"));
    words.add("--pidfile=" + folder.resolve("pid"));
    words.add("--live-restore=" + liveRestore);
    // A cut pull is told at once, and not after minutes of trying again.
    words.add("--max-download-attempts=1");
    words.add("--storage-driver=overlay2");
    words.addAll(List.of(more));
    return start(folder, socket, Map.of(), words.toArray(String[]::new));
  }

  public static TestEngine podman() {
    require("podman", "podman", "runc");
    Path folder = temporary("podman");
    Path socket = folder.resolve("engine.sock");
    Path configuration = folder.resolve("containers.conf");
    // Limits above those of whoever starts it fail, and crun does not know every mix of cgroups.
    write(
        configuration,
        """
        [containers]
        default_ulimits = ["nofile=1024:1024","nproc=4096:4096"]
        [engine]
        runtime = "runc"
        cgroup_manager = "cgroupfs"
        events_logger = "file"
        """);
    Path registries = folder.resolve("registries.conf");
    write(
        registries,
        """
        [[registry]]
        prefix = "127.0.0.1"
        location = "127.0.0.1"
        insecure = true
        """);
    return start(
        folder,
        socket,
        Map.of(
            "CONTAINERS_CONF",
            configuration.toString(),
            "CONTAINERS_REGISTRIES_CONF",
            registries.toString()),
        "podman",
        "--root=" + folder.resolve("root"),
        "--runroot=" + folder.resolve("run"),
        "--tmpdir=" + folder.resolve("tmp"),
        "system",
        "service",
        "--time=0",
        "unix://" + socket);
  }

  /** Skips, and says the engine's name, by which a required one is known. */
  private static void require(String engine, String... tools) {
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")),
        engine + " is not tried: only root may start an engine");
    requireTools(engine, tools);
  }

  /** The same for what needs no root. */
  static void requireTools(String engine, String... tools) {
    for (String tool : tools) {
      Assumptions.assumeTrue(
          List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
              .anyMatch(path -> Files.isExecutable(Path.of(path, tool))),
          engine + " is not tried: there is no " + tool + " on this machine");
    }
  }

  private static Path temporary(String name) {
    try {
      return Files.createTempDirectory("berth-" + name);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static TestEngine start(
      Path folder, Path socket, Map<String, String> variables, String... command) {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)));
    builder.environment().putAll(variables);
    Path log = folder.resolve("log");
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectInput(new File("/dev/null"));
    // Podman leaves files where it was started.
    builder.directory(folder.toFile());
    try {
      TestEngine engine = new TestEngine(folder, socket, builder);
      engine.awaitReady();
      return engine;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void awaitReady() throws IOException {
    EngineException last = null;
    for (int look = 0; look < LOOKS && process.isAlive(); look++) {
      try {
        engine().version();
        return;
      } catch (EngineException notYet) {
        last = notYet;
        pause();
      }
    }
    String text = Files.readString(folder.resolve("log"));
    process.destroyForcibly();
    close();
    throw new IllegalStateException("the engine does not start: " + text, last);
  }

  /** An engine says nothing when it is ready, so that it must be asked. */
  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  public Engine engine() {
    return new Engine(
        new UnixEngine(LocalAccess.ofThisMachine().streams(), MachinePath.of(socket.toString())));
  }

  /** Pulls an image as a person does, who knows nothing of us. */
  void pull(String image) throws IOException, InterruptedException {
    command("pull", "-q", image);
  }

  /** Gives an image one more name. */
  void tag(String image, String name, String tag) throws IOException, InterruptedException {
    command("tag", image, name + ":" + tag);
  }

  private void command(String... words) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("docker", "--host", host()));
    all.addAll(List.of(words));
    Process client = new ProcessBuilder(all).redirectErrorStream(true).start();
    String text = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (client.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", all) + ": " + text);
    }
  }

  /** A call that jobs do not need, and the whole of its answer. */
  String call(EngineRequest request) {
    return new EngineHttp(
            new UnixEngine(
                LocalAccess.ofThisMachine().streams(), MachinePath.of(socket.toString())))
        .call("1.41", request, CALL_PATIENCE);
  }

  /** All that the engine tells of a container, as it tells it. */
  String inspection(String container) {
    return call(EngineRequest.of("GET", "/containers/" + container + "/json"));
  }

  /** What the engine wrote for its administrator. */
  String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Where it keeps its containers and images. */
  Path data() {
    return folder.resolve("data");
  }

  Path socket() {
    return socket;
  }

  public String host() {
    return "unix://" + socket;
  }

  /**
   * Ends it as by a crash; nothing is asked to end with it. The kernel ends its containerd a moment
   * later, which is waited for: an engine that starts in between takes it for alive.
   */
  void kill() throws Exception {
    String containerd = Files.readString(folder.resolve("exec/containerd/containerd.pid"));
    Optional<ProcessHandle> last = ProcessHandle.of(Long.parseLong(containerd.strip()));
    process.destroyForcibly().waitFor();
    if (last.isPresent()) {
      last.get().onExit().get(1, TimeUnit.MINUTES);
    }
  }

  /** Ends it as an administrator does, and waits until it is gone. */
  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  /** Starts it again after its end, and waits until it answers. */
  void startAgain() throws IOException {
    process = command.start();
    awaitReady();
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      // Some engines leave them running.
      engine().list().keySet().forEach(engine()::remove);
    }
    process.destroy();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
      endLeftProcesses();
      for (String mounted : mounts()) {
        run("umount", "-l", mounted);
      }
      run("rm", "-rf", "--one-file-system", folder.toString());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Ends what outlives an engine: those who watch over containers and commands of one that was
   * killed, and Podman's, which wait for minutes whether somebody asks how a command ended.
   */
  private void endLeftProcesses() {
    ProcessHandle.allProcesses()
        .filter(
            left ->
                Stream.of(left.info().arguments().orElse(new String[0]))
                    .anyMatch(word -> word.startsWith(folder + "/")))
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** What the engine left mounted in its folder, the innermost first. */
  private List<String> mounts() throws IOException {
    return Files.readAllLines(Path.of("/proc/mounts")).stream()
        .map(line -> line.split(" ")[1])
        .filter(path -> path.startsWith(folder + "/"))
        .toList()
        .reversed();
  }

  private static void run(String... command) throws IOException, InterruptedException {
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
