package dev.berth.server.blobs;

import dev.berth.model.Sha256;
import java.util.regex.Pattern;

/**
 * What a blob is called.
 *
 * @param space words with slashes between them; the same bytes in two spaces are two blobs, so that
 *     knowing a digest opens nothing in a space of others
 * @param digest of its bytes
 */
public record BlobName(String space, String digest) {
  private static final Pattern SPACE =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*(/[A-Za-z0-9][A-Za-z0-9_-]*)*");

  public BlobName {
    requireSpace(space);
    Sha256.require(digest);
  }

  static String requireSpace(String space) {
    if (!SPACE.matcher(space).matches()) {
      throw new IllegalArgumentException("'" + space + "' cannot be a space of blobs");
    }
    return space;
  }

  @Override
  public String toString() {
    return space + "/" + digest;
  }
}
