package dev.berth.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The root folder: {@code jobs/<attempt>} ({@link JobDirectory}), {@code events/<attempt>} that
 * runners write to when a job starts and ends, and the runner script under a name that tells its
 * content.
 */
final class JobStore {
  private static final int MOST_DELETIONS = 20;

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Duration ABANDONED = Duration.ofDays(1);

  private final Path jobs;
  private final Path events;
  private final Path script;

  /** Opens the folder, creates what is missing, and deletes what a killed server left half done. */
  JobStore(Path root, Instant now) {
    try {
      Files.createDirectories(root.toAbsolutePath(), OWNER_ONLY);
      // The path is part of the mark on a job's processes, so it must be the same however the root
      // was spelled.
      Path real = root.toRealPath();
      jobs = Files.createDirectories(real.resolve("jobs"), OWNER_ONLY);
      events = Files.createDirectories(real.resolve("events"), OWNER_ONLY);
      script = installScript(real);
      deleteAbandoned(jobs, now.minus(ABANDONED));
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the jobs' folder " + root + " cannot be used", failure);
    }
  }

  Path script() {
    return script;
  }

  Path events() {
    return events;
  }

  Path eventFile(String attemptId) {
    return events.resolve(JobDirectory.requireValidId(attemptId));
  }

  JobDirectory directory(String attemptId) {
    return new JobDirectory(jobs.resolve(JobDirectory.requireValidId(attemptId)));
  }

  List<String> attempts() {
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
  interface Filling {
    void fill(JobDirectory directory) throws IOException;
  }

  /** Prepares a job that runs as processes of this machine. */
  void prepare(JobSpec spec, Cgroups cgroups) {
    prepare(spec.attemptId(), directory -> fill(directory, spec, cgroups));
  }

  private void fill(JobDirectory directory, JobSpec spec, Cgroups cgroups) throws IOException {
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
    if (!placement.warnings().isEmpty()) {
      directory.create("warnings", lines(placement.warnings()));
    }
  }

  /** Prepares a job in a temporary folder, which then gets its name in one step. */
  void prepare(String attemptId, Filling filling) {
    JobDirectory finished = directory(attemptId);
    if (finished.exists()) {
      return;
    }
    Path folder = temporaryFolder("new");
    try {
      JobDirectory directory = new JobDirectory(folder);
      filling.fill(directory);
      directory.create("prepared", ProcessIdentity.bootId());
      directory.create("stdout", "");
      directory.create("stderr", "");
      Files.move(folder, finished.path(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException failure) {
      deleteTree(folder);
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

  /**
   * Takes a job directory out of sight in one step, and then deletes it. Silent when it is gone.
   */
  void remove(String attemptId) {
    JobDirectory directory = directory(attemptId);
    Path hidden = temporaryFolder("old");
    try {
      Files.move(directory.path(), hidden.resolve(attemptId), StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException gone) {
      // Removed by somebody else, which is as good.
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "the job directory " + directory.path() + " cannot be removed",
          failure);
    } finally {
      deleteTree(hidden);
    }
    try {
      Files.deleteIfExists(eventFile(attemptId));
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "an event file cannot be removed", failure);
    }
  }

  /** Tells all watches, also those of other servers, that an attempt changed. */
  void announce(String attemptId) {
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

  private static void deleteAbandoned(Path jobs, Instant before) throws IOException {
    try (Stream<Path> folders = Files.list(jobs)) {
      for (Path folder : folders.toList()) {
        // Another server may be preparing right now, and may be removing this very folder.
        boolean temporary = folder.getFileName().toString().startsWith(".");
        if (temporary
            && Files.exists(folder)
            && Files.getLastModifiedTime(folder).toInstant().isBefore(before)) {
          deleteTree(folder);
        }
      }
    }
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

  static String lines(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }

  /** Where a file comes while its folder is deleted, which a runner that ends may do, once more. */
  private static void deleteTree(Path folder) {
    for (int attempt = 1; ; attempt++) {
      try {
        deleteOnce(folder);
        return;
      } catch (IOException failure) {
        if (!(failure instanceof DirectoryNotEmptyException) || attempt == MOST_DELETIONS) {
          throw new HostException(
              HostException.Code.MACHINE, "the folder " + folder + " cannot be deleted", failure);
        }
      }
    }
  }

  private static void deleteOnce(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
