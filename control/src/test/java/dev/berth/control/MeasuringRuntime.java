package dev.berth.control;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** A runtime that tells what jobs use, and is asked for nothing else. */
record MeasuringRuntime(Function<List<String>, Map<String, JobUsage>> told) implements JobRuntime {
  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    return told.apply(attemptIds);
  }

  private static UnsupportedOperationException notAsked() {
    return new UnsupportedOperationException("it is asked only what jobs use");
  }

  @Override
  public Instant start(JobRequest request) {
    throw notAsked();
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    throw notAsked();
  }

  @Override
  public void kill(String attemptId) {
    throw notAsked();
  }

  @Override
  public void remove(String attemptId) {
    throw notAsked();
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    throw notAsked();
  }

  @Override
  public JobDescription describe(String attemptId) {
    throw notAsked();
  }

  @Override
  public List<String> list(Owner owner) {
    throw notAsked();
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    throw notAsked();
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    throw notAsked();
  }
}
