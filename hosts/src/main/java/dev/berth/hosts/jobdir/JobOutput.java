package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.State;
import dev.berth.model.OutputMask;
import java.util.function.BooleanSupplier;

/** Reads what jobs wrote, with their secrets hidden. */
public final class JobOutput {
  private final JobMasks masks;

  public JobOutput(JobMasks masks) {
    this.masks = masks;
  }

  /** Whether a job in this state writes no more. */
  public static boolean isOver(State state) {
    return state instanceof Exited || state instanceof Lost;
  }

  /**
   * Reads from an offset on.
   *
   * @param over whether the job writes no more; asked only at the end of what there is
   */
  public OutputChunk read(
      String attemptId,
      JobDirectory directory,
      BooleanSupplier over,
      OutputStreamName stream,
      long offset,
      int maxBytes) {
    if (offset < 0 || maxBytes < 1) {
      throw new HostException(
          HostException.Code.INVALID, "output is read from 0 or later, one byte or more at a time");
    }
    OutputMask.Piece piece =
        masks
            .of(attemptId, directory)
            .read((from, most) -> piece(directory, over, stream, from, most), offset, maxBytes);
    return new OutputChunk(piece.bytes(), piece.nextOffset(), piece.ended());
  }

  private static OutputMask.Piece piece(
      JobDirectory directory, BooleanSupplier over, OutputStreamName stream, long from, int most) {
    byte[] bytes = directory.bytes(stream.file(), from, most);
    boolean ended = false;
    if (bytes.length < most && over.getAsBoolean()) {
      // Again: what was written between that look and the job's end would be missed otherwise.
      bytes = directory.bytes(stream.file(), from, most);
      ended = bytes.length < most;
    }
    return new OutputMask.Piece(bytes, from + bytes.length, ended);
  }
}
