package dev.berth.catalog;

import org.jspecify.annotations.Nullable;

/** What is wrong with a catalog's files or sources, with a sentence for the user. */
public final class CatalogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CatalogException(String message) {
    super(message);
  }

  public CatalogException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** A fault at a line of a file. */
  public static CatalogException at(String file, long line, String message) {
    return new CatalogException(file + ":" + line + ": " + message);
  }
}
