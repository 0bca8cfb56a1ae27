package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.Cgroups;
import dev.berth.hosts.access.ProcessIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The root folder: {@code jobs/<attempt>} ({@link JobDirectory}), {@code events/<attempt>} that
 * runners write to when a job starts and ends, and the runner script under a name that tells its
 * content. For jobs in containers also {@code orders/<attempt>}, with what they must not see. It is
 * there before the folder of the job, and goes after it.
 */
public final class JobStore {

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Duration ABANDONED = Duration.ofDays(1);

  private final Path jobs;
  private final Path events;
  private final Path script;

  /** Null where no container sees the folders of jobs. */
  private final @Nullable Path orders;

  /** Held while a job gets its two folders. */
  private final ReentrantLock publishing = new ReentrantLock();

  /**
   * Opens the folder of jobs that are processes of our own user, creates what is missing, and
   * deletes what a killed server left half done.
   */
  public JobStore(Path root, Instant now) {
    this(root, now, false);
  }

  /** The same of jobs in containers. */
  public static JobStore ofContainers(Path root, Instant now) {
    return new JobStore(root, now, true);
  }

  private JobStore(Path root, Instant now, boolean shared) {
    try {
      Files.createDirectories(root.toAbsolutePath(), OWNER_ONLY);
      // The path is part of the mark on a job's processes, so it must be the same however the root
      // was spelled.
      Path real = root.toRealPath();
      jobs = Files.createDirectories(real.resolve("jobs"), OWNER_ONLY);
      events = Files.createDirectories(real.resolve("events"), OWNER_ONLY);
      orders = shared ? Files.createDirectories(real.resolve("orders"), OWNER_ONLY) : null;
      script = installScript(real);
      Instant before = now.minus(ABANDONED);
      FolderDeletion.deleteAbandoned(jobs, before, FolderDeletion::isTemporary);
      if (orders != null) {
        FolderDeletion.deleteAbandoned(
            orders,
            before,
            order ->
                FolderDeletion.isTemporary(order)
                    || Files.notExists(jobs.resolve(order.getFileName())));
      }
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the jobs' folder " + root + " cannot be used", failure);
    }
  }

  public Path script() {
    return script;
  }

  public Path events() {
    return events;
  }

  public Path eventFile(String attemptId) {
    return events.resolve(JobDirectory.requireValidId(attemptId));
  }

  public JobDirectory directory(String attemptId) {
    return at(jobs.resolve(JobDirectory.requireValidId(attemptId)));
  }

  private JobDirectory at(Path path) {
    return orders == null ? new JobDirectory(path) : JobDirectory.shared(path, orders);
  }

  public List<String> attempts() {
    try (Stream<Path> folders = Files.list(jobs)) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .filter(JobDirectory::isValidId)
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the folder " + jobs + " is not readable", failure);
    }
  }

  /** Fills a job directory before anybody sees it. */
  @FunctionalInterface
  public interface Filling {
    void fill(JobDirectory directory) throws IOException;
  }

  /**
   * Prepares a job that runs as processes of this machine.
   *
   * @param warnings what every job of this machine does without
   */
  public void prepare(JobSpec spec, Cgroups cgroups, List<String> warnings) {
    prepare(spec.attemptId(), directory -> fill(directory, spec, cgroups, warnings));
  }

  private void fill(
      JobDirectory directory, JobSpec spec, Cgroups cgroups, List<String> machineWarnings)
      throws IOException {
    Path work = Files.createDirectory(directory.file(JobDirectory.WORK));
    Path workingDirectory =
        spec.workingDirectory() == null ? work : work.resolve(spec.workingDirectory());
    for (Input input : spec.inputs()) {
      switch (input) {
        case InputFile file -> InputCopy.copy(file, workingDirectory);
        case InputArchive archive -> Unpacking.unpack(archive, workingDirectory);
      }
    }
    Cgroups.Placement placement =
        cgroups.place(groupName(spec.attemptId()), spec.cpus(), spec.memoryBytes());
    directory.create("job.env", ShellText.environment(spec));
    directory.create("commands", ShellText.commands(spec.commands()));
    directory.create("spec", ShellText.settings(spec, eventFile(spec.attemptId()), placement));
    if (!spec.secrets().isEmpty()) {
      directory.create(RunnerSecrets.FILE, lines(List.copyOf(spec.secrets().keySet())));
    }
    if (!placement.groups().isEmpty()) {
      directory.create("cgroups", lines(placement.groups().stream().map(Path::toString).toList()));
    }
    List<String> warnings =
        Stream.concat(machineWarnings.stream(), placement.warnings().stream()).toList();
    if (!warnings.isEmpty()) {
      directory.create("warnings", lines(warnings));
    }
  }

  /** Prepares a job in a temporary folder, which then gets its name in one step. */
  public void prepare(String attemptId, Filling filling) {
    JobDirectory finished = directory(attemptId);
    if (finished.exists()) {
      return;
    }
    JobDirectory fresh = at(temporaryFolder("new"));
    try {
      if (!fresh.own().equals(fresh.path())) {
        Files.createDirectory(fresh.own(), OWNER_ONLY);
      }
      filling.fill(fresh);
      fresh.create(JobDirectory.PREPARED, ProcessIdentity.bootId());
      fresh.create("stdout", "");
      fresh.create("stderr", "");
      publish(fresh, finished);
    } catch (IOException | RuntimeException failure) {
      FolderDeletion.deleteTree(fresh.path());
      FolderDeletion.deleteTree(fresh.own());
      if (finished.exists()) {
        // Somebody else prepared the same attempt meanwhile, which is as good.
        return;
      }
      if (failure instanceof RuntimeException known) {
        throw known;
      }
      throw new HostException(
          HostException.Code.MACHINE,
          "the job directory " + finished.path() + " cannot be created",
          failure);
    }
  }

  /** The order first, so that no job is ever seen without it. */
  private void publish(JobDirectory fresh, JobDirectory finished) throws IOException {
    publishing.lock();
    try {
      if (finished.exists()) {
        throw new FileAlreadyExistsException(finished.path().toString());
      }
      if (!fresh.own().equals(fresh.path())) {
        // Of a server that was killed right here.
        FolderDeletion.deleteTree(finished.own());
        Files.move(fresh.own(), finished.own(), StandardCopyOption.ATOMIC_MOVE);
      }
      Files.move(fresh.path(), finished.path(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      publishing.unlock();
    }
  }

  /**
   * Takes a job directory out of sight in one step, and then deletes it. Silent when it is gone.
   */
  public void remove(String attemptId) {
    JobDirectory directory = directory(attemptId);
    List<Path> hidden = new ArrayList<>();
    publishing.lock();
    try {
      for (Path folder : new LinkedHashSet<>(List.of(directory.path(), directory.own()))) {
        hidden.add(hide(folder));
      }
    } finally {
      publishing.unlock();
    }
    hidden.forEach(FolderDeletion::deleteOrTell);
    try {
      Files.deleteIfExists(eventFile(attemptId));
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "an event file cannot be removed", failure);
    }
  }

  /** Under the same parent: to move what a job gave to another user elsewhere takes root. */
  private static Path hide(Path folder) {
    Path hidden = folder.resolveSibling(".old-" + UUID.randomUUID());
    try {
      Files.move(folder, hidden, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException gone) {
      // Removed by somebody else, which is as good.
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "the job directory " + folder + " cannot be removed",
          failure);
    }
    return hidden;
  }

  /** Tells all watches, also those of other servers, that an attempt changed. */
  public void announce(String attemptId) {
    try {
      Files.writeString(eventFile(attemptId), "changed\n");
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "an event file cannot be written", failure);
    }
  }

  /** Two roots may know the same attempt, as in tests; their groups must not meet. */
  private String groupName(String attemptId) {
    return attemptId + "-" + checksum(jobs.toString().getBytes(StandardCharsets.UTF_8));
  }

  private Path temporaryFolder(String purpose) {
    try {
      return Files.createTempDirectory(jobs, "." + purpose, OWNER_ONLY);
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the folder " + jobs + " is not writable", failure);
    }
  }

  private static Path installScript(Path root) throws IOException {
    try (InputStream resource =
        Objects.requireNonNull(
            JobStore.class.getResourceAsStream("runner"), "the runner script is part of the jar")) {
      byte[] content = resource.readAllBytes();
      Path script = root.resolve("runner-" + checksum(content));
      if (!Files.exists(script)) {
        Path temporary = Files.createTempFile(root, ".runner", ".new");
        Files.write(temporary, content);
        // Users of images read it too; the folder around it is closed to others all the same.
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(temporary, script, StandardCopyOption.ATOMIC_MOVE);
      }
      return script;
    }
  }

  private static String checksum(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return HexFormat.of().toHexDigits((int) checksum.getValue()).toLowerCase(Locale.ROOT);
  }

  public static String lines(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
