package dev.berth.hosts;

import dev.berth.hosts.Observation.Exited;
import dev.berth.hosts.Observation.Lost;
import dev.berth.hosts.Observation.State;
import dev.berth.model.OutputMask;
import java.util.function.Supplier;

/** Reads what jobs wrote, with their secrets hidden. */
final class JobOutput {
  private final JobMasks masks;

  JobOutput(JobMasks masks) {
    this.masks = masks;
  }

  OutputChunk read(
      String attemptId,
      JobDirectory directory,
      Supplier<State> look,
      OutputStreamName stream,
      long offset,
      int maxBytes) {
    if (offset < 0 || maxBytes < 1) {
      throw new HostException(
          HostException.Code.INVALID, "output is read from 0 or later, one byte or more at a time");
    }
    // First the state, then the bytes: the other way round, bytes written in between would be
    // missed.
    State state = look.get();
    boolean over = state instanceof Exited || state instanceof Lost;
    OutputMask.Piece piece =
        masks
            .of(attemptId, directory)
            .read(
                (from, most) -> {
                  byte[] bytes = directory.bytes(stream.file(), from, most);
                  return new OutputMask.Piece(
                      bytes, from + bytes.length, over && bytes.length < most);
                },
                offset,
                maxBytes);
    return new OutputChunk(piece.bytes(), piece.nextOffset(), piece.ended());
  }
}
