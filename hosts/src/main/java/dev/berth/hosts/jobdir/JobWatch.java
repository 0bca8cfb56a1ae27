package dev.berth.hosts.jobdir;

import dev.berth.hosts.access.FolderWatch;
import dev.berth.hosts.access.MachineFiles;
import dev.berth.hosts.access.MachinePath;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Follows the folder that runners write to. One thread calls the consumer. */
public final class JobWatch implements Watch {
  private static final System.Logger LOGGER = System.getLogger(JobWatch.class.getName());

  private final Consumer<String> changed;
  private final Consumer<JobWatch> onClose;
  private final FolderWatch folder;

  /**
   * Starts following; what happens after the constructor returned is reported.
   *
   * @param everything the attempts to report when changes were missed
   */
  JobWatch(
      MachineFiles files,
      MachinePath events,
      Consumer<String> changed,
      Supplier<List<String>> everything,
      Consumer<JobWatch> onClose) {
    this.changed = changed;
    this.onClose = onClose;
    this.folder =
        files.watch(
            events,
            name -> {
              if (JobDirectory.isValidId(name)) {
                tell(changed, name);
              }
            },
            () -> everything.get().forEach(attemptId -> tell(changed, attemptId)));
  }

  /** Calls the consumer. */
  public void tell(String attemptId) {
    tell(changed, attemptId);
  }

  private static void tell(Consumer<String> changed, String attemptId) {
    try {
      changed.accept(attemptId);
    } catch (RuntimeException failure) {
      // One consumer's fault must not make all later changes go unnoticed.
      LOGGER.log(
          System.Logger.Level.ERROR,
          "A change of attempt " + attemptId + " could not be taken note of",
          failure);
    }
  }

  @Override
  public void close() {
    onClose.accept(this);
    folder.close();
  }
}
