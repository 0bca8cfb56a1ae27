package dev.berth.control.offers;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** One that could run jobs; nobody starts any in these tests. */
final class UnusedRuntime implements JobRuntime {
  private static final String UNUSED = "nobody starts jobs here";

  @Override
  public Instant start(JobRequest request) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public void kill(String attemptId) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public void remove(String attemptId) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public JobDescription describe(String attemptId) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public List<String> list(Owner owner) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    throw new UnsupportedOperationException(UNUSED);
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    throw new UnsupportedOperationException(UNUSED);
  }
}
