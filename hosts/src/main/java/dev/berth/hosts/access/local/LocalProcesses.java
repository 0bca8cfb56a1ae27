package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.MachineProcesses;
import dev.berth.hosts.access.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The processes of this machine, as {@code /proc} tells of them. */
final class LocalProcesses implements MachineProcesses {
  /** What the kernel says to whoever reads from a process that has just ended. */
  private static final String NO_PROCESS = "No such process";

  private final Path proc;

  LocalProcesses() {
    this(Path.of("/proc"));
  }

  /** Of another folder, for tests. */
  LocalProcesses(Path proc) {
    this.proc = proc;
  }

  @Override
  public String bootId() {
    try {
      return Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "/proc is not readable, and jobs cannot be supervised without it",
          failure);
    }
  }

  @Override
  public boolean isAlive(ProcessIdentity process) {
    String stat;
    try {
      stat = Files.readString(of(process.pid()).resolve("stat"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      // The file is missing, or the process ended while it was read: both mean what is asked.
      return false;
    }
    // The name in parentheses may contain anything, so fields are counted after the last one.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return fields.length > 19
        && !fields[0].equals("Z")
        && !fields[0].equals("X")
        && fields[19].equals(String.valueOf(process.startTicks()));
  }

  @Override
  public boolean terminate(ProcessIdentity process) {
    return isAlive(process)
        && ProcessHandle.of(process.pid()).filter(ProcessHandle::destroy).isPresent();
  }

  @Override
  public boolean awaitEnd(ProcessIdentity process, Duration patience) throws InterruptedException {
    Optional<ProcessHandle> handle =
        Optional.of(process).filter(this::isAlive).flatMap(alive -> ProcessHandle.of(alive.pid()));
    if (handle.isEmpty()) {
      return true;
    }
    try {
      handle.get().onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException late) {
      return !isAlive(process);
    } catch (ExecutionException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "the end of the process %d cannot be waited for".formatted(process.pid()),
          failure);
    }
  }

  @Override
  public Optional<byte[]> environment(long pid) {
    try {
      return Optional.of(Files.readAllBytes(of(pid).resolve("environ")));
    } catch (IOException failure) {
      return absentOr("the variables of the process " + pid + " are not readable", pid, failure);
    }
  }

  @Override
  public Optional<MachinePath> workingDirectory(long pid) {
    try {
      return Optional.of(MachinePath.of(Files.readSymbolicLink(of(pid).resolve("cwd")).toString()));
    } catch (IOException failure) {
      return absentOr("the folder of the process " + pid + " is not readable", pid, failure);
    }
  }

  private <T> Optional<T> absentOr(String sentence, long pid, IOException failure) {
    if (failure instanceof NoSuchFileException
        || Files.notExists(of(pid))
        || NO_PROCESS.equals(failure.getMessage())) {
      return Optional.empty();
    }
    throw LocalFailures.of(sentence, failure);
  }

  @Override
  public boolean killMarked(String entry) {
    return new MarkedProcesses(entry).kill();
  }

  private Path of(long pid) {
    return proc.resolve(Long.toString(pid));
  }
}
