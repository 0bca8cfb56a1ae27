package dev.berth.hosts.access;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The control groups of a machine that jobs may be put into: one that finds all processes of a job
 * however they detach themselves, and, where limits are asked for, those that enforce them.
 */
public interface ControlGroups {
  /**
   * What a job was given.
   *
   * @param groups folders of the groups that the job enters
   * @param tracking the one of them that finds its processes; null when there is none
   * @param limited whether one of them enforces a limit, so that the job must be in it from the
   *     start
   * @param warnings sentences about what was asked for and is not enforced
   */
  record Placement(
      List<MachinePath> groups,
      @Nullable MachinePath tracking,
      boolean limited,
      List<String> warnings) {
    /** Of a job that somebody else puts into groups. */
    public static final Placement NONE = new Placement(List.of(), null, false, List.of());

    public Placement {
      groups = List.copyOf(groups);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Makes the groups of a job. Idempotent; what is not permitted becomes a warning, because the job
   * still can run.
   *
   * @param cpus null for no limit
   * @param memoryBytes null for no limit
   */
  Placement place(String name, @Nullable Double cpus, @Nullable Long memoryBytes);

  /**
   * Removes the groups of a job that has ended. Idempotent. NOT_KILLED where processes are left in
   * them.
   */
  void remove(List<MachinePath> groups);

  /** The limit of memory that the kernel holds a job to; empty where there is none. */
  OptionalLong memoryLimit(List<MachinePath> groups);
}
