package dev.berth.server.blobs;

import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps bytes by their content. Several servers may use one at the same time; all methods may be
 * called from any thread, and block. Bytes of a name never change, so that what was read once need
 * not be read again.
 *
 * <p>All methods throw {@link BlobException}: {@code AWAY}, {@code REFUSED} and {@code NO_BUCKET}
 * everywhere, others where they are named.
 */
public interface BlobStore extends AutoCloseable {
  /** No blob is larger; what is larger is kept as several. */
  int LARGEST = 16 * 1024 * 1024;

  /**
   * Keeps bytes. Idempotent: where they are there already this only {@link #refresh refreshes}
   * them; something of another size, which only a fault can have left there, is replaced. Atomic:
   * nobody sees a part, also after a crash. When it returns they outlive one. The stream is read to
   * its end, with little memory, and not closed.
   *
   * @throws BlobException {@code WRONG_CONTENT} where the bytes have another digest, {@code
   *     TOO_LARGE} after {@link #LARGEST} bytes, {@code CUT_OFF} where the stream fails, {@code
   *     FULL}; nothing is kept then
   */
  void put(BlobName name, InputStream content);

  /**
   * Opens a part of a blob; the caller closes the stream. A part that goes beyond the end stops
   * there.
   *
   * @throws BlobException {@code GONE} where there is no such blob
   */
  InputStream open(BlobName name, long offset, long length);

  /** What is known of a blob without reading it. */
  Optional<StoredBlob> find(BlobName name);

  /** Makes a blob as young as if it was put now; false where it is not there. */
  boolean refresh(BlobName name);

  /** Deletes a blob. Idempotent; silent when it is gone. */
  void delete(BlobName name);

  /**
   * Shows all blobs of one space, in no order. What is put or deleted meanwhile may be shown or
   * not.
   */
  void list(String space, Consumer<StoredBlob> each);

  /** Where it is, in words for a person; without secrets. */
  String describe();

  @Override
  void close();
}
