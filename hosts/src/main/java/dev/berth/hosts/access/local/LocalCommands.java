package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.Command;
import dev.berth.hosts.access.DetachedCommand;
import dev.berth.hosts.access.MachineCommands;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.OpenCommand;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Commands of this machine. */
final class LocalCommands implements MachineCommands {
  private final Map<String, String> environment;
  private final Executables executables;
  private final ReentrantLock lock = new ReentrantLock();

  /** How commands leave our session; null until somebody asks. Guarded by the lock. */
  private @Nullable Detachment detachment;

  LocalCommands(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    this.executables = Executables.of(environment.getOrDefault("PATH", ""));
  }

  /**
   * How a command starts in a session of its own.
   *
   * @param words what stands before it. {@code setsid} becomes the command rather than its parent,
   *     because our children lead no group
   */
  private record Detachment(List<String> words, DefaultSignals signals) {}

  private Detachment detachment() {
    lock.lock();
    try {
      Detachment known = detachment;
      if (known == null) {
        known = detect();
        detachment = known;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  private Detachment detect() {
    DefaultSignals signals = DefaultSignals.detect(executables);
    Path setsid =
        executables
            .find("setsid")
            .orElseThrow(
                () ->
                    new HostException(
                        HostException.Code.MISSING_TOOL,
                        "there is no setsid command in %s; it is part of util-linux and of busybox"
                            .formatted(environment.getOrDefault("PATH", ""))));
    List<String> words = new ArrayList<>(signals.prefix());
    words.add(setsid.toString());
    return new Detachment(List.copyOf(words), signals);
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  /** The one in which the JDK gives variables to processes. */
  @Override
  public Charset charset() {
    return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
  }

  @Override
  public Optional<MachinePath> find(String program) {
    return executables.find(program).map(path -> MachinePath.of(path.toString()));
  }

  @Override
  public List<String> limitations() {
    return detachment().signals().warnings();
  }

  @Override
  public DetachedCommand start(Command command, MachinePath log) {
    ProcessBuilder builder = builder(command);
    builder.redirectInput(new File("/dev/null"));
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.text())));
    return new Detached(launch(builder));
  }

  @Override
  public OpenCommand open(Command command) {
    return new Open(launch(builder(command)));
  }

  private ProcessBuilder builder(Command command) {
    List<String> words = new ArrayList<>(detachment().words());
    words.addAll(command.words());
    ProcessBuilder builder = new ProcessBuilder(words);
    MachinePath folder = command.folder();
    if (folder != null) {
      builder.directory(new File(folder.text()));
    }
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    return builder;
  }

  private static Process launch(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "the command cannot be started: " + failure.getMessage(),
          failure);
    }
  }

  private record Detached(Process process) implements DetachedCommand {
    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public OptionalInt awaitEnd() throws InterruptedException {
      return OptionalInt.of(process.waitFor());
    }

    @Override
    public OptionalInt awaitEnd(Duration patience) throws InterruptedException {
      return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)
          ? OptionalInt.of(process.exitValue())
          : OptionalInt.empty();
    }

    @Override
    public void kill() {
      process.destroyForcibly();
    }
  }

  private record Open(Process process) implements OpenCommand {
    @Override
    public OutputStream input() {
      return process.getOutputStream();
    }

    @Override
    public InputStream output() {
      return process.getInputStream();
    }

    @Override
    public InputStream errors() {
      return process.getErrorStream();
    }

    @Override
    public int exitCode() throws InterruptedException {
      return process.waitFor();
    }

    @Override
    public boolean isRunning() {
      return process.isAlive();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
