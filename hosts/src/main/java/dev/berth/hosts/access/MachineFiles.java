package dev.berth.hosts.access;

import java.io.InputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The files of a machine. Folders of jobs are written to by jobs as well, which may fill them with
 * anything at any moment: links to files that only we may read, pipes on which a reader waits for
 * ever, devices. So only plain files are there for us, no link in the place of a file is ever
 * followed, and whatever else has the name of a file is absent, and makes way where we write.
 */
public interface MachineFiles {
  /**
   * The same files. What gets a name for a moment, when a file is replaced or held for reading,
   * gets it in a folder of the same disk that jobs do not see; otherwise it is next to the file.
   */
  MachineFiles stagedIn(MachinePath folder);

  /**
   * Looks at many folders at once, in one round trip. Reads only. An answer for each question, in
   * their order; a file that cannot be looked at says so in its own answer, and hides no other.
   */
  List<FolderView> look(Collection<FolderQuery> queries);

  /** What is known of a plain file; empty where there is none. */
  Optional<FileFacts> find(MachinePath file);

  /**
   * Bytes of a plain file from an offset on, fewer than {@code most} only at its end; empty where
   * there is no such file. Never waits for more.
   */
  Optional<byte[]> read(MachinePath file, long offset, int most);

  /** Whether there is anything at a path; links are followed. */
  boolean exists(MachinePath path);

  /** Whether there is a folder at a path; links are followed. */
  boolean isFolder(MachinePath path);

  /**
   * The names in a folder, in any order. ABSENT where there is none. For folders of jobs; not meant
   * for those with millions of files.
   */
  List<String> list(MachinePath folder);

  /** When anything at a path was last changed, be it a folder; empty where there is nothing. */
  Optional<Instant> changed(MachinePath path);

  /** How much may still be written to the disk of a path; empty where there is no such path. */
  Optional<Long> usableBytes(MachinePath path);

  /** The owner of a path, as {@code uid:gid}. ABSENT where there is nothing. */
  String owner(MachinePath path);

  /**
   * Whether what is at a path belongs to the user that we are on the machine; links are followed.
   * ABSENT where there is nothing.
   */
  boolean isOurs(MachinePath path);

  /**
   * Sees to it that a folder is there, with all above it. New ones are closed to other users.
   * Idempotent.
   *
   * @return its path without links, which is the same however it was spelled
   */
  MachinePath createFolders(MachinePath folder);

  /** Creates a folder in one that is there. Fails with MACHINE where there is something. */
  void createFolder(MachinePath folder, FileAccess access);

  /** Creates a file that only the owner may read. Fails with MACHINE where there is something. */
  void create(MachinePath file, String content);

  /**
   * Creates a file with its content in one step. Atomic: of many who try, here or elsewhere, one
   * succeeds, and this is what decides who has a job. After an unclear outcome read the file.
   *
   * @return false where there is such a file already
   */
  boolean createOnce(MachinePath file, String content);

  /**
   * Replaces a file as a whole. Atomic: a reader sees the old content or the new. Idempotent.
   * ABSENT where the folder is gone.
   */
  void replace(MachinePath file, String content, FileAccess access);

  /**
   * The same; when it returns the content is on the disk, so that a power cut leaves the old one or
   * the new.
   */
  void replaceDurably(MachinePath file, String content);

  /**
   * Writes a file in place and creates it where it is missing, so that whoever has it open, or
   * mounted, sees the change. Not atomic. Idempotent.
   */
  void overwrite(MachinePath file, String content);

  /** Appends to a file that is there. Not idempotent: after an unclear outcome look at its size. */
  void append(MachinePath file, byte[] bytes, int offset, int length);

  /** Sets the time of a file's last change. Idempotent. */
  void setModified(MachinePath file, Instant time);

  /** Deletes a file, or puts what is in its place out of the way. Idempotent. */
  void delete(MachinePath file);

  /**
   * Gives a file or folder another name on the same disk, over a file that has it. Atomic.
   *
   * @return false where there is nothing to move
   */
  boolean move(MachinePath from, MachinePath to);

  /**
   * Deletes a folder with all in it. Links are deleted and never followed. Idempotent; not atomic,
   * so what must vanish at once is moved before.
   */
  void deleteTree(MachinePath folder);

  /**
   * Copies a file or folder of the machine, with its attributes, over what is there. Links inside
   * stay links. May be repeated. Fails with INPUT.
   */
  void copy(MachinePath source, MachinePath target);

  /**
   * Unpacks an archive's one item to a path. Nothing is written outside of it, whatever the archive
   * says. May be repeated. Fails with INPUT; what the stream throws is passed on.
   *
   * @param tar as {@link dev.berth.spi.Archives#open} gives it; the caller closes it
   * @param name what the item is called in messages
   */
  void unpack(InputStream tar, MachinePath target, String name);

  /**
   * Gives a file or folder, with all in it, to another user of the machine. Idempotent. DENIED
   * where we may not.
   */
  void give(MachinePath path, int uid, int gid);

  /**
   * Calls back when a file in a folder was created or written to, from one thread, until closed.
   * What happens after this returned is told, and the same change may be told twice. Where the
   * machine tells us by itself, as this one does, that takes milliseconds; where it does not it is
   * asked now and then.
   *
   * @param changed is given a file's name
   * @param overflow is called when changes were missed, so that everything must be looked at
   */
  FolderWatch watch(MachinePath folder, Consumer<String> changed, Runnable overflow);
}
