package dev.berth.hosts.access;

/** Who may read what we create. Only we may write it. */
public enum FileAccess {
  /** Mode 0600, 0700 for folders. */
  OWNER,
  /**
   * Mode 0644, 0755 for folders: for the user of a container's image, who is another; the folder
   * around it is closed to others.
   */
  EVERYBODY
}
