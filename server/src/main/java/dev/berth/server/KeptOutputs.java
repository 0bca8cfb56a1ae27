package dev.berth.server;

import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.blobs.BlobStore;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads output that is kept from the store, and any other where it is. */
record KeptOutputs(JobOutputs elsewhere, LogMasks masks, Ledger ledger, BlobStore store)
    implements JobOutputs {
  @Override
  public JobRuntime.Output read(Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
    Optional<KeptOutput> kept = find(attempt);
    return kept.isPresent()
        ? ShortMasks.read(
            (from, most) -> read(kept.get(), stream, from, most),
            masks.of(attempt).lengths(),
            offset,
            limit)
        : elsewhere.read(attempt, stream, offset, limit);
  }

  @Override
  public Map<JobRuntime.Stream, JobRuntime.Output> readAll(
      Attempt attempt, Map<JobRuntime.Stream, Long> offsets, int limit) {
    return find(attempt).isPresent()
        ? JobOutputs.super.readAll(attempt, offsets, limit)
        : elsewhere.readAll(attempt, offsets, limit);
  }

  @Override
  public boolean isFar(Attempt attempt) {
    return find(attempt).isEmpty() && elsewhere.isFar(attempt);
  }

  /** Only what has ended is kept. */
  private Optional<KeptOutput> find(Attempt attempt) {
    return attempt.active() ? Optional.empty() : KeptOutput.find(ledger, attempt.id());
  }

  private JobRuntime.Output read(
      KeptOutput kept, JobRuntime.Stream stream, long offset, int limit) {
    List<KeptOutput.Piece> pieces = kept.of(stream);
    byte[] bytes = new byte[limit];
    int filled = 0;
    long at = offset;
    while (filled < limit && at / KeptOutput.PIECE_BYTES < pieces.size()) {
      KeptOutput.Piece piece = pieces.get((int) (at / KeptOutput.PIECE_BYTES));
      int inPiece = (int) (at % KeptOutput.PIECE_BYTES);
      int wanted = Math.min(limit - filled, piece.size() - inPiece);
      if (wanted <= 0) {
        break;
      }
      read(kept, piece, inPiece, bytes, filled, wanted);
      filled += wanted;
      at += wanted;
    }
    long end = pieces.stream().mapToLong(KeptOutput.Piece::size).sum();
    return new JobRuntime.Output(Arrays.copyOf(bytes, filled), at, at >= end);
  }

  private void read(
      KeptOutput kept, KeptOutput.Piece piece, int from, byte[] into, int offset, int length) {
    try (InputStream in = store.open(kept.name(piece), from, length)) {
      if (in.readNBytes(into, offset, length) < length) {
        throw new BackendException.Permanent(
            "the kept output is shorter than it was: " + kept.name(piece), null);
      }
    } catch (IOException e) {
      throw new BackendException.Transient("the kept output cannot be read now", e);
    } catch (BlobException e) {
      throw e.code().retryable()
          ? new BackendException.Transient(
              "the kept output cannot be read now: " + e.getMessage(), e)
          : new BackendException.Permanent("the kept output cannot be read: " + e.getMessage(), e);
    }
  }
}
