package dev.berth.testkit;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.Execution;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Owner;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A runtime whose calls are made again after a while when they were too many for the provider, as a
 * server does. Any call may end so.
 */
record RetryingRuntime(JobRuntime backend, Waiting waiting) implements JobRuntime {
  private void unhurried(Runnable call) {
    waiting.unhurried(
        () -> {
          call.run();
          return true;
        });
  }

  @Override
  public Instant start(JobRequest request) {
    return waiting.unhurried(() -> backend.start(request));
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    unhurried(() -> backend.stop(attemptId, grace));
  }

  @Override
  public void kill(String attemptId) {
    unhurried(() -> backend.kill(attemptId));
  }

  @Override
  public void remove(String attemptId) {
    unhurried(() -> backend.remove(attemptId));
  }

  @Override
  public void release(String attemptId) {
    unhurried(() -> backend.release(attemptId));
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    return waiting.unhurried(() -> backend.observe(attemptIds));
  }

  @Override
  public JobDescription describe(String attemptId) {
    return waiting.unhurried(() -> backend.describe(attemptId));
  }

  @Override
  public List<String> list(Owner owner) {
    return waiting.unhurried(() -> backend.list(owner));
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    return waiting.unhurried(() -> backend.watch(changed));
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    return waiting.unhurried(() -> backend.read(attemptId, stream, offset, maxBytes));
  }

  @Override
  public Execution exec(String attemptId, List<String> command) {
    return waiting.unhurried(() -> backend.exec(attemptId, command));
  }

  @Override
  public ByteChannel connect(String attemptId, int port) {
    return waiting.unhurried(() -> backend.connect(attemptId, port));
  }

  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    return waiting.unhurried(() -> backend.usage(attemptIds));
  }
}
