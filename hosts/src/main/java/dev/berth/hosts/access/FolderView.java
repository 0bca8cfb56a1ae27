package dev.berth.hosts.access;

import java.util.Optional;

/**
 * What is seen of a folder that was asked about. Each part is of the moment of the call that looked
 * or, where a look costs no more than a system call, of the moment when it is asked for. So whoever
 * cares what was first asks in the order of the query: its texts, its files, the claim, and then
 * whether the folder exists. Whatever is not part of the query is not asked for.
 *
 * <p>Used by one thread. What could not be looked at fails when it is asked for, and hides nothing
 * else.
 */
public interface FolderView {
  /** The text of a file; empty where there is no plain file. */
  Optional<String> text(MachinePath file);

  /** What is known of a file; empty where there is no plain file. */
  Optional<FileFacts> facts(MachinePath file);

  /** Whether the process of the claim was alive after the claim was read. */
  boolean claimIsAlive();

  /**
   * Whether the folder was there after its files were looked at, so that where it was, a file that
   * is missing here was missing, and not gone with the folder.
   */
  boolean exists();
}
