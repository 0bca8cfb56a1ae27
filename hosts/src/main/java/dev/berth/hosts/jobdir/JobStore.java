package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.FileAccess;
import dev.berth.hosts.access.FolderView;
import dev.berth.hosts.access.MachineAccess;
import dev.berth.hosts.access.MachineFiles;
import dev.berth.hosts.access.MachinePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The root folder of a machine: {@code jobs/<attempt>} ({@link JobDirectory}), {@code
 * events/<attempt>} that runners write to when a job starts and ends, and the runner script under a
 * name that tells its content. For jobs in containers also {@code orders/<attempt>}, with what they
 * must not see. It is there before the folder of the job, and goes after it.
 */
public final class JobStore {
  private static final System.Logger LOGGER = System.getLogger(JobStore.class.getName());
  private static final Duration ABANDONED = Duration.ofDays(1);

  private final MachineFiles files;
  private final String bootId;
  private final MachinePath jobs;
  private final MachinePath events;
  private final MachinePath script;

  /** Null where no container sees the folders of jobs. */
  private final @Nullable MachinePath orders;

  /** Held while a job gets its two folders. */
  private final ReentrantLock publishing = new ReentrantLock();

  /**
   * Opens the folder of jobs that are processes of our own user, creates what is missing, and
   * deletes what a killed server left half done.
   */
  public JobStore(MachineAccess machine, MachinePath root, Instant now) {
    this(machine, root, now, false);
  }

  /** The same of jobs in containers. */
  public static JobStore ofContainers(MachineAccess machine, MachinePath root, Instant now) {
    return new JobStore(machine, root, now, true);
  }

  private JobStore(MachineAccess machine, MachinePath root, Instant now, boolean shared) {
    files = machine.files();
    bootId = machine.processes().bootId();
    try {
      // The path is part of the mark on a job's processes, so it must be the same however the root
      // was spelled.
      MachinePath real = files.createFolders(root);
      jobs = files.createFolders(real.resolve("jobs"));
      events = files.createFolders(real.resolve("events"));
      orders = shared ? files.createFolders(real.resolve("orders")) : null;
      script = installScript(real);
      Instant before = now.minus(ABANDONED);
      deleteAbandoned(jobs, before, JobStore::isTemporary);
      if (orders != null) {
        deleteAbandoned(
            orders, before, order -> isTemporary(order) || !files.exists(jobs.resolve(order)));
      }
    } catch (HostException failure) {
      throw new HostException(
          failure.code(),
          "the jobs' folder %s cannot be used: %s".formatted(root, failure.getMessage()),
          failure);
    }
  }

  /** Whether it is one of those that are on their way to their name, or to their end. */
  private static boolean isTemporary(String name) {
    return name.startsWith(".");
  }

  /**
   * Deletes what is so old that nobody can be at it any more. Another server may be at work, and
   * what it writes and reads has names for moments only.
   */
  private void deleteAbandoned(MachinePath parent, Instant before, Predicate<String> isAbandoned) {
    for (String name : files.list(parent)) {
      MachinePath folder = parent.resolve(name);
      if (isAbandoned.test(name)
          && files.changed(folder).filter(at -> at.isBefore(before)).isPresent()) {
        deleteOrTell(folder);
      }
    }
  }

  /** What cannot be deleted costs room, and must not cost more: neither this job nor others. */
  private void deleteOrTell(MachinePath folder) {
    try {
      files.deleteTree(folder);
    } catch (HostException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          ("The folder %s of a job that is over cannot be deleted; mostly a container left files of"
                  + " another user in it. Delete it as root: rm -rf '%s'")
              .formatted(folder, folder),
          failure);
    }
  }

  public MachinePath script() {
    return script;
  }

  public MachinePath events() {
    return events;
  }

  public MachinePath eventFile(String attemptId) {
    return events.resolve(JobDirectory.requireValidId(attemptId));
  }

  public JobDirectory directory(String attemptId) {
    return at(jobs.resolve(JobDirectory.requireValidId(attemptId)));
  }

  private JobDirectory at(MachinePath path) {
    return orders == null
        ? new JobDirectory(files, path)
        : JobDirectory.shared(files, path, orders);
  }

  /** Looks at the state of many jobs, in one round trip to their machine. */
  List<FolderView> look(Collection<JobDirectory> directories) {
    MachineFiles from = orders == null ? files : files.stagedIn(orders);
    return from.look(directories.stream().map(JobDirectory::stateQuery).toList());
  }

  /** The ids of all attempts that have a directory. */
  public List<String> attempts() {
    return files.list(jobs).stream().filter(JobDirectory::isValidId).sorted().toList();
  }

  /** Calls back when an attempt starts or ends, until closed. */
  public JobWatch watch(Consumer<String> changed, Consumer<JobWatch> onClose) {
    return new JobWatch(files, events, changed, this::attempts, onClose);
  }

  /** Fills a job directory before anybody sees it. */
  @FunctionalInterface
  public interface Filling {
    void fill(JobDirectory directory);
  }

  /** Prepares a job in a temporary folder, which then gets its name in one step. */
  public void prepare(String attemptId, Filling filling) {
    JobDirectory finished = directory(attemptId);
    if (finished.exists()) {
      return;
    }
    JobDirectory fresh = at(jobs.resolve(".new" + UUID.randomUUID()));
    try {
      files.createFolder(fresh.path(), FileAccess.OWNER);
      if (!fresh.own().equals(fresh.path())) {
        files.createFolder(fresh.own(), FileAccess.OWNER);
      }
      filling.fill(fresh);
      fresh.create(JobDirectory.PREPARED, bootId);
      fresh.create("stdout", "");
      fresh.create("stderr", "");
      if (publish(fresh, finished)) {
        return;
      }
    } catch (RuntimeException failure) {
      discard(fresh);
      if (finished.exists()) {
        // Somebody else prepared the same attempt meanwhile, which is as good.
        return;
      }
      throw failure;
    }
    discard(fresh);
  }

  private void discard(JobDirectory fresh) {
    files.deleteTree(fresh.path());
    files.deleteTree(fresh.own());
  }

  /**
   * The order first, so that no job is ever seen without it.
   *
   * @return false where somebody else prepared the same attempt meanwhile, which is as good
   */
  private boolean publish(JobDirectory fresh, JobDirectory finished) {
    publishing.lock();
    try {
      if (finished.exists()) {
        return false;
      }
      if (!fresh.own().equals(fresh.path())) {
        // Of a server that was killed right here.
        files.deleteTree(finished.own());
        files.move(fresh.own(), finished.own());
      }
      files.move(fresh.path(), finished.path());
      return true;
    } finally {
      publishing.unlock();
    }
  }

  /**
   * Takes a job directory out of sight in one step, and then deletes it. Silent when it is gone.
   */
  public void remove(String attemptId) {
    JobDirectory directory = directory(attemptId);
    List<MachinePath> hidden = new ArrayList<>();
    publishing.lock();
    try {
      for (MachinePath folder : new LinkedHashSet<>(List.of(directory.path(), directory.own()))) {
        hidden.add(hide(folder));
      }
    } finally {
      publishing.unlock();
    }
    hidden.forEach(this::deleteOrTell);
    files.delete(eventFile(attemptId));
  }

  /** Under the same parent: to move what a job gave to another user elsewhere takes root. */
  private MachinePath hide(MachinePath folder) {
    MachinePath hidden = folder.sibling(".old-" + UUID.randomUUID());
    // One that is gone was removed by somebody else, which is as good.
    files.move(folder, hidden);
    return hidden;
  }

  /** Tells all watches, also those of other servers, that an attempt changed. */
  public void announce(String attemptId) {
    files.overwrite(eventFile(attemptId), "changed\n");
  }

  /** Sees to it that the file is there that runners write to. */
  public void ensureEventFile(String attemptId) {
    if (!files.exists(eventFile(attemptId))) {
      announce(attemptId);
    }
  }

  /** A name for what an attempt has outside of the root. Two roots may know the same attempt. */
  public String uniqueName(String attemptId) {
    return attemptId + "-" + checksum(jobs.text().getBytes(StandardCharsets.UTF_8));
  }

  private MachinePath installScript(MachinePath root) {
    byte[] content = runner();
    MachinePath installed = root.resolve("runner-" + checksum(content));
    if (!files.exists(installed)) {
      // Users of images read it too; the folder around it is closed to others all the same.
      files.replace(installed, new String(content, StandardCharsets.UTF_8), FileAccess.EVERYBODY);
    }
    return installed;
  }

  private static byte[] runner() {
    try (InputStream resource =
        Objects.requireNonNull(
            JobStore.class.getResourceAsStream("runner"), "the runner script is part of the jar")) {
      return resource.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException("the runner script is not readable in the jar", failure);
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
