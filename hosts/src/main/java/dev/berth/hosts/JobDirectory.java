package dev.berth.hosts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The folder of one attempt of a job: everything that is to be done, and everything that is known
 * of it. Mode 0700.
 *
 * <p>Written before the start, by whoever prepares; the folder appears whole or not at all:
 *
 * <ul>
 *   <li>{@code spec}: shell, working directory, durations, event file and cgroup, as shell
 *       assignments
 *   <li>{@code commands}: the commands, as a script for the job's shell
 *   <li>{@code job.env}, mode 0600: the variables, each as an {@code export} of a single-quoted
 *       word
 *   <li>{@code cgroups}: the cgroups that the job enters, one a line
 *   <li>{@code secrets}: the names of variables whose values are in no file: the runner is given
 *       them in its environment
 *   <li>{@code prepared}: the boot id of the machine. An unclaimed job of another boot is lost, not
 *       started: the claim may have been lost with the power, and the job must not run twice. So
 *       nothing here needs to be synced
 *   <li>{@code work}: the working directory of jobs that name none
 *   <li>{@code stdout}, {@code stderr}: the job's bytes, unchanged, only ever appended to. When the
 *       job has ended the bytes of its secrets are replaced by as many {@code *}
 * </ul>
 *
 * <p>Written by the runner:
 *
 * <ul>
 *   <li>{@code runner}: the claim, {@code pid start-ticks boot-id} of the runner. Whoever creates
 *       it decides: a runner runs the job; a stop before the start links {@code refused reason
 *       milliseconds} here, and a sentence below it where there is one, and the job never runs
 *   <li>{@code watcher}: {@code pid start-ticks} of the process that TERM makes look at {@code
 *       stop} at once
 *   <li>{@code process}: {@code pid start-ticks} of the job; its modification time is the time of
 *       the start
 *   <li>{@code heartbeat}: rewritten every one to four seconds; {@code look.0}, {@code look.1}:
 *       when the runner last looked for new output
 *   <li>{@code index}: {@code epoch-seconds stdout-size stderr-size}, at most a line a second, only
 *       when sizes changed
 *   <li>{@code metrics}: {@code epoch-seconds processor-milliseconds memory-bytes}, every ten
 *       seconds
 *   <li>{@code ending}: the reason, once the runner has begun to end the job; {@code ended}: the
 *       code of the main command, while what it left behind is being ended
 *   <li>{@code failure}: a sentence that says why the job could not start; {@code warnings}: what
 *       was not as asked; {@code tracked}: all of the job is in its cgroup; {@code runner.log}:
 *       what the runner itself printed
 *   <li>{@code masked}: no secret is left in the output
 *   <li>{@code exit}: {@link ExitRecord}, by rename, when none of the job's processes is left
 * </ul>
 *
 * <p>Written by whoever stops: {@code stop}, by rename: {@code grace-hundredths reason}.
 */
class JobDirectory {
  static final String WORK = "work";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final FileAttribute<?> OWNER_ONLY_FILE =
      PosixFilePermissions.asFileAttribute(OWNER_ONLY);

  private final Path path;

  JobDirectory(Path path) {
    this.path = path;
  }

  /** A stop request: how long the job may take, and why it ends. */
  record StopRequest(long graceHundredths, ExitReason reason) {}

  /** Refuses whatever could name another folder, or be mistaken for one of our temporary ones. */
  static String requireValidId(String attemptId) {
    if (!isValidId(attemptId)) {
      throw new HostException(
          HostException.Code.INVALID,
          "'%s' cannot name an attempt: up to 128 letters, digits, '.', '_' and '-', starting with a letter or digit"
              .formatted(attemptId));
    }
    return attemptId;
  }

  static boolean isValidId(String attemptId) {
    return ID.matcher(attemptId).matches();
  }

  Path path() {
    return path;
  }

  /** Whose it is. */
  String attemptId() {
    return path().getFileName().toString();
  }

  Path file(String name) {
    return path.resolve(name);
  }

  boolean exists() {
    return Files.isDirectory(path);
  }

  /** The text of a small file, whole; empty when there is none. */
  Optional<String> text(String name) {
    // Most observations find no exit file; to look first is cheaper than an exception.
    if (Files.notExists(file(name))) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(file(name), StandardCharsets.UTF_8));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failure) {
      throw unreadable(name, failure);
    }
  }

  /** Deletes a file; silent where there is none. */
  void delete(String name) {
    try {
      Files.deleteIfExists(file(name));
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "the file %s of the job directory %s cannot be deleted".formatted(name, path),
          failure);
    }
  }

  /**
   * The lines of a file that a runner may be appending to; a line that is not complete is left for
   * the next time.
   */
  List<String> lines(String name) {
    List<String> lines = new ArrayList<>();
    String text = text(name).orElse("");
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lines.add(text.substring(start, end));
      start = end + 1;
    }
    return lines;
  }

  long size(String name) {
    try {
      return Files.size(file(name));
    } catch (NoSuchFileException none) {
      return 0;
    } catch (IOException failure) {
      throw unreadable(name, failure);
    }
  }

  Optional<Instant> modified(String name) {
    try {
      return Optional.of(Files.getLastModifiedTime(file(name)).toInstant());
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failure) {
      throw unreadable(name, failure);
    }
  }

  OutputSizes sizes() {
    return new OutputSizes(
        size(OutputStreamName.STDOUT.file()), size(OutputStreamName.STDERR.file()));
  }

  Optional<ExitRecord> exit() {
    return text("exit").flatMap(ExitRecord::parse);
  }

  Optional<StopRequest> stopRequest() {
    return text("stop")
        .map(text -> text.strip().split(" "))
        .filter(words -> words.length == 2 && words[0].matches("[0-9]{1,18}"))
        .flatMap(
            words ->
                ExitReason.find(words[1])
                    .map(reason -> new StopRequest(Long.parseLong(words[0]), reason)));
  }

  /**
   * Bytes of a file from an offset, at most {@code maxBytes}, fewer only at the end of the file.
   */
  byte[] bytes(String name, long offset, int maxBytes) {
    try (FileChannel channel = FileChannel.open(file(name), StandardOpenOption.READ)) {
      long available = Math.max(0, channel.size() - offset);
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(maxBytes, available));
      while (buffer.hasRemaining()) {
        int count = channel.read(buffer, offset + buffer.position());
        if (count < 0) {
          break;
        }
      }
      byte[] bytes = buffer.array();
      return buffer.hasRemaining() ? Arrays.copyOf(bytes, buffer.position()) : bytes;
    } catch (NoSuchFileException none) {
      return new byte[0];
    } catch (IOException failure) {
      throw unreadable(name, failure);
    }
  }

  /** Creates a file that only the owner may read. */
  void create(String name, String content) {
    try {
      Files.createFile(file(name), OWNER_ONLY_FILE);
      Files.writeString(file(name), content, StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw unwritable(name, failure);
    }
  }

  /** Replaces a file as a whole: a reader sees the old or the new content. */
  void replace(String name, String content) {
    Path temporary = write(name, content);
    try {
      Files.move(temporary, file(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw unwritable(name, failure);
    }
  }

  /** Creates a file with its content in one step; false when it is there already. */
  boolean createOnce(String name, String content) {
    Path temporary = write(name, content);
    try {
      Files.createLink(file(name), temporary);
      return true;
    } catch (FileAlreadyExistsException taken) {
      return false;
    } catch (IOException failure) {
      throw unwritable(name, failure);
    } finally {
      delete(temporary);
    }
  }

  private Path write(String name, String content) {
    try {
      Path temporary = Files.createTempFile(path, "." + name, ".new", OWNER_ONLY_FILE);
      Files.writeString(temporary, content, StandardCharsets.UTF_8);
      return temporary;
    } catch (IOException failure) {
      throw unwritable(name, failure);
    }
  }

  private void delete(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException failure) {
      throw unwritable(temporary.getFileName().toString(), failure);
    }
  }

  private HostException unreadable(String name, IOException failure) {
    return new HostException(
        HostException.Code.MACHINE,
        "the file %s of the job directory %s is not readable".formatted(name, path),
        failure);
  }

  private HostException unwritable(String name, IOException failure) {
    if (!exists()) {
      return new HostException(
          HostException.Code.ABSENT, "the job directory " + path + " is gone", failure);
    }
    return new HostException(
        HostException.Code.MACHINE,
        "the file %s of the job directory %s is not writable".formatted(name, path),
        failure);
  }
}
