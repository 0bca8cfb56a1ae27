package dev.berth.spi;

import java.io.InputStream;

/**
 * The files that users uploaded for their jobs, as a backend gets them. May be asked from any
 * thread.
 */
public interface Archives {
  /** What the one item of an archive is called. */
  String CONTENT = "content";

  /** Of whoever keeps no files. */
  Archives NONE =
      name -> {
        throw new BackendException.Permanent("there are no uploaded files here", null);
      };

  /**
   * Opens an archive: a tar stream that holds one file or folder, which is called {@value
   * #CONTENT}. Its bytes are checked while they are read, so an archive is good only when it was
   * read to its end. The same name gives the same bytes, however often and on whichever server. The
   * caller closes it.
   *
   * @param name as in {@code JobSpec.File}
   * @throws BackendException.Permanent where it is not there, also while it is read
   * @throws BackendException.Transient where its store does not answer, also while it is read
   */
  InputStream open(String name);
}
