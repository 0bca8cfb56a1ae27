package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/**
 * A git repository that the job works on.
 *
 * @param changes the upload that holds what differs from the commit on the user's machine; null
 *     where nothing does
 * @param token what is said as password to a private repository at an http address; a secret
 * @param sshKey the private key for a repository at an SSH address; a secret
 */
public record RepoSpec(
    @Nullable String localPath,
    @Nullable String url,
    @Nullable String branch,
    @Nullable String hash,
    String path,
    IfExists ifExists,
    @Nullable String changes,
    @Nullable String token,
    @Nullable String sshKey) {
  /** What to do where the target folder is already there and not empty. */
  public enum IfExists {
    ERROR,
    SKIP
  }
}
