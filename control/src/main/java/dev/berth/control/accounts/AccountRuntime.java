package dev.berth.control.accounts;

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
 * A runtime of a provider whose calls pass the gateway of its account. What people look at does
 * not: their output and connections must not keep machines from being given back.
 */
final class AccountRuntime implements JobRuntime {
  private final JobRuntime runtime;
  private final AccountGateway gateway;
  private final Runnable beforeChange;

  AccountRuntime(JobRuntime runtime, AccountGateway gateway, Runnable beforeChange) {
    this.runtime = runtime;
    this.gateway = gateway;
    this.beforeChange = beforeChange;
  }

  @Override
  public Instant start(JobRequest request) {
    // A job on a machine of ours costs no more than that.
    AccountGateway.Kind kind =
        request.place() == null ? AccountGateway.Kind.CHANGE : AccountGateway.Kind.LAUNCH;
    return gateway.call(
        "start " + request.attemptId(),
        kind,
        () -> {
          beforeChange.run();
          return runtime.start(request);
        });
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    change("stop " + attemptId, () -> runtime.stop(attemptId, grace));
  }

  @Override
  public void kill(String attemptId) {
    change("kill " + attemptId, () -> runtime.kill(attemptId));
  }

  @Override
  public void release(String attemptId) {
    change("release " + attemptId, () -> runtime.release(attemptId));
  }

  @Override
  public void remove(String attemptId) {
    change("remove " + attemptId, () -> runtime.remove(attemptId));
  }

  private void change(String key, Runnable call) {
    gateway.call(
        key,
        AccountGateway.Kind.CHANGE,
        () -> {
          beforeChange.run();
          call.run();
          return key;
        });
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    return gateway.call("observe", AccountGateway.Kind.READ, () -> runtime.observe(attemptIds));
  }

  @Override
  public JobDescription describe(String attemptId) {
    return gateway.read(() -> runtime.describe(attemptId));
  }

  @Override
  public List<String> list(Owner owner) {
    return gateway.call("list jobs", AccountGateway.Kind.READ, () -> runtime.list(owner));
  }

  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    return runtime.watch(changed);
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    return runtime.read(attemptId, stream, offset, maxBytes);
  }

  @Override
  public Execution exec(String attemptId, List<String> command) {
    return runtime.exec(attemptId, command);
  }

  @Override
  public ByteChannel connect(String attemptId, int port) {
    return runtime.connect(attemptId, port);
  }

  @Override
  public Map<String, JobUsage> usage(List<String> attemptIds) {
    return gateway.call("usage", AccountGateway.Kind.READ, () -> runtime.usage(attemptIds));
  }
}
