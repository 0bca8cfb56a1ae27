package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.model.Attempt;
import dev.berth.model.OutputMask;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;

/** Reads what jobs have written where they run, without the secrets in it. */
record BackendOutputs(ControlPlane control, LogMasks masks) implements JobOutputs {
  @Override
  public JobRuntime.Output read(Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
    try {
      JobRuntime runtime = control.runtime(attempt).orElse(null);
      if (runtime == null) {
        return withoutMachine(attempt, offset);
      }
      OutputMask.Piece piece =
          masks
              .of(attempt)
              .read(
                  (from, most) -> {
                    JobRuntime.Output output = runtime.read(attempt.id(), stream, from, most);
                    return new OutputMask.Piece(
                        output.bytes(), output.nextOffset(), output.ended());
                  },
                  offset,
                  limit);
      return new JobRuntime.Output(piece.bytes(), piece.nextOffset(), piece.ended());
    } catch (BackendException.Gone e) {
      // The job has no folder: it is about to be made, or it never was.
      return new JobRuntime.Output(new byte[0], offset, !attempt.active());
    }
  }

  /** What is known of the output while there is no connection to the machine. */
  private JobRuntime.Output withoutMachine(Attempt attempt, long offset) {
    if (!control.backends().containsKey(attempt.backend())) {
      throw new ApiException(
          409, "the backend of this run was removed, so its output cannot be read");
    }
    if (attempt.startedAt() == null) {
      return new JobRuntime.Output(new byte[0], offset, !attempt.active());
    }
    if (!attempt.active()) {
      throw new ApiException(
          409, "the machine of this run is gone or not reachable, so its output cannot be read");
    }
    throw new BackendException.Transient("the machine of this run cannot be reached now", null);
  }

  @Override
  public boolean isFar(Attempt attempt) {
    Compute compute = control.backends().get(attempt.backend());
    return compute != null && !(compute.offers() instanceof Offers.OwnMachines);
  }
}
