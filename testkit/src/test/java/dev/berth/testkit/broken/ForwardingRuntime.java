package dev.berth.testkit.broken;

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

/** Does as another runtime does. */
class ForwardingRuntime implements JobRuntime {
  final JobRuntime sound;

  ForwardingRuntime(JobRuntime sound) {
    this.sound = sound;
  }

  @Override
  public Instant start(JobRequest request) {
    return sound.start(request);
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    sound.stop(attemptId, grace);
  }

  @Override
  public void kill(String attemptId) {
    sound.kill(attemptId);
  }

  @Override
  public void release(String attemptId) {
    sound.release(attemptId);
  }

  @Override
  public void remove(String attemptId) {
    sound.remove(attemptId);
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    return sound.observe(attemptIds).stream().map(this::seen).toList();
  }

  /** How one job is seen, for those that see it otherwise. */
  JobObservation seen(JobObservation observation) {
    return observation;
  }

  @Override
  public JobDescription describe(String attemptId) {
    return sound.describe(attemptId);
  }

  @Override
  public List<String> list(Owner owner) {
    return sound.list(owner);
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    return sound.watch(changed);
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    return sound.read(attemptId, stream, offset, maxBytes);
  }

  @Override
  public Execution exec(String attemptId, List<String> command) {
    return sound.exec(attemptId, command);
  }

  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    return sound.usage(attemptIds);
  }

  @Override
  public ByteChannel connect(String attemptId, int port) {
    return sound.connect(attemptId, port);
  }
}
