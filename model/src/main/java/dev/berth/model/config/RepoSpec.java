package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** A git repository that the job works on. */
public record RepoSpec(
    @Nullable String localPath,
    @Nullable String url,
    @Nullable String branch,
    @Nullable String hash,
    String path,
    IfExists ifExists) {
  /** What to do where the target folder is already there and not empty. */
  public enum IfExists {
    ERROR,
    SKIP
  }
}
