package dev.berth.hosts.access;

/** An open watch on a folder. */
public interface FolderWatch extends AutoCloseable {
  /** Ends the watch; when this returns nobody is called any more. Idempotent. */
  @Override
  void close();
}
