package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/**
 * A file or folder of the user's machine that the job gets.
 *
 * @param archive the upload that holds it; null before it is uploaded
 */
public record FileMapping(String localPath, String path, @Nullable String archive) {
  public FileMapping(String localPath, String path) {
    this(localPath, path, null);
  }
}
