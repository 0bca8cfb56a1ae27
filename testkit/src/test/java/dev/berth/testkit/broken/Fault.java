package dev.berth.testkit.broken;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Execution;
import dev.berth.spi.Found;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Faults of one method each; all other methods do as they should. */
final class Fault {
  private Fault() {}

  static UnaryOperator<Provisioner> create(BiFunction<Provisioner, CreateRequest, Found> wrong) {
    return provisioner ->
        new ForwardingProvisioner(provisioner) {
          @Override
          public Found create(CreateRequest request) {
            return wrong.apply(sound, request);
          }
        };
  }

  static UnaryOperator<Provisioner> delete(BiConsumer<Provisioner, ResourceRef> wrong) {
    return provisioner ->
        new ForwardingProvisioner(provisioner) {
          @Override
          public void delete(ResourceRef ref) {
            wrong.accept(sound, ref);
          }
        };
  }

  static UnaryOperator<Provisioner> describe(
      BiFunction<Provisioner, ResourceRef, Optional<Found>> wrong) {
    return provisioner ->
        new ForwardingProvisioner(provisioner) {
          @Override
          public Optional<Found> describe(ResourceRef ref) {
            return wrong.apply(sound, ref);
          }
        };
  }

  /** What is shown by describe is changed. */
  static UnaryOperator<Provisioner> shown(UnaryOperator<Found> wrong) {
    return describe((sound, ref) -> sound.describe(ref).map(wrong));
  }

  static UnaryOperator<Provisioner> list(BiFunction<Provisioner, Owner, List<Found>> wrong) {
    return provisioner ->
        new ForwardingProvisioner(provisioner) {
          @Override
          public Listing list(Owner owner) {
            return Listing.all(wrong.apply(sound, owner));
          }
        };
  }

  static UnaryOperator<Provisioner> find(BiFunction<Provisioner, Owner, List<Found>> wrong) {
    return provisioner ->
        new ForwardingProvisioner(provisioner) {
          @Override
          public List<Found> find(Owner owner, String key, String region) {
            return wrong.apply(sound, owner);
          }
        };
  }

  static UnaryOperator<JobRuntime> start(BiFunction<JobRuntime, JobRequest, Instant> wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public Instant start(JobRequest request) {
            return wrong.apply(sound, request);
          }
        };
  }

  /** A stop that goes wrong. */
  interface Stop {
    void apply(JobRuntime sound, String attemptId, Duration grace);
  }

  static UnaryOperator<JobRuntime> stop(Stop wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public void stop(String attemptId, Duration grace) {
            wrong.apply(sound, attemptId, grace);
          }
        };
  }

  static UnaryOperator<JobRuntime> kill(BiConsumer<JobRuntime, String> wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public void kill(String attemptId) {
            wrong.accept(sound, attemptId);
          }
        };
  }

  static UnaryOperator<JobRuntime> remove(BiConsumer<JobRuntime, String> wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public void remove(String attemptId) {
            wrong.accept(sound, attemptId);
          }
        };
  }

  static UnaryOperator<JobRuntime> seen(UnaryOperator<JobObservation> wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          JobObservation seen(JobObservation observation) {
            return wrong.apply(observation);
          }
        };
  }

  /** How the end of jobs is told is changed. */
  static UnaryOperator<JobRuntime> end(UnaryOperator<JobObservation.Exited> wrong) {
    return seen(
        observation ->
            observation instanceof JobObservation.Exited exited
                ? wrong.apply(exited)
                : observation);
  }

  static UnaryOperator<JobRuntime> described(UnaryOperator<JobDescription> wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public JobDescription describe(String attemptId) {
            return wrong.apply(super.describe(attemptId));
          }
        };
  }

  static UnaryOperator<JobRuntime> listed(BiFunction<JobRuntime, Owner, List<String>> wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public List<String> list(Owner owner) {
            return wrong.apply(sound, owner);
          }
        };
  }

  /** A read that goes wrong. */
  interface Read {
    JobRuntime.Output apply(
        JobRuntime sound, String attemptId, JobRuntime.Stream stream, long offset, int maxBytes);
  }

  static UnaryOperator<JobRuntime> read(Read wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
            return wrong.apply(sound, attemptId, stream, offset, maxBytes);
          }
        };
  }

  /** A command that goes wrong. */
  interface Exec {
    Execution apply(JobRuntime sound, String attemptId, List<String> command);
  }

  static UnaryOperator<JobRuntime> exec(Exec wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public Execution exec(String attemptId, List<String> command) {
            return wrong.apply(sound, attemptId, command);
          }
        };
  }

  /** A connection that goes wrong. */
  interface Connect {
    ByteChannel apply(JobRuntime sound, String attemptId, int port);
  }

  static UnaryOperator<JobRuntime> connect(Connect wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public ByteChannel connect(String attemptId, int port) {
            return wrong.apply(sound, attemptId, port);
          }
        };
  }

  static UnaryOperator<JobRuntime> usage(
      BiFunction<JobRuntime, List<String>, Map<String, JobUsage>> wrong) {
    return runtime ->
        new ForwardingRuntime(runtime) {
          @Override
          public Map<String, JobUsage> usage(List<String> attemptIds) {
            return wrong.apply(sound, attemptIds);
          }
        };
  }
}
