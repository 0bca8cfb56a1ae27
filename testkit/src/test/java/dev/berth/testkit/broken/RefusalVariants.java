package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.compute;
import static dev.berth.testkit.broken.Variant.jobs;
import static dev.berth.testkit.broken.Variant.things;

import dev.berth.model.JobRequest;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobQueue;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Rewriting;
import dev.berth.spi.Trait;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Backends that opted out of something and do not refuse it as they should. */
final class RefusalVariants {
  private RefusalVariants() {}

  static List<Variant> all() {
    return List.of(
        silentJobs("spot-machines-refused", Trait.SPOT),
        silentJobs("images-refused", Trait.IMAGES),
        silentJobs("files-refused", Trait.FILES),
        silentJobs("job-volumes-refused", Trait.VOLUMES),
        jobs("privileged-refused", containers(), Fault.start(RefusalVariants::silent)),
        jobs("instance-volumes-refused", containers(), Fault.start(RefusalVariants::silent)),
        jobs("reuse-refused", containers(), Fault.start(RefusalVariants::silent)),
        jobs("blocks-refused", containers(), Fault.start(RefusalVariants::silent)),
        rudeThings("reservations-refused", Trait.RESERVATIONS),
        rudeThings("several-nodes-refused", Trait.MULTI_NODE),
        rudeThings("groups-refused", Trait.GROUPS),
        rudeThings("volumes-refused", Trait.VOLUMES),
        rudeThings("placement-groups-refused", Trait.PLACEMENT_GROUPS),
        rudeThings("gateways-refused", Trait.GATEWAYS),
        rudeThings("private-gateways-refused", Trait.PRIVATE_GATEWAYS),
        rudeThings("load-balancers-refused", Trait.GATEWAY_LOAD_BALANCERS),
        compute("queue-positions-refused", machines(), HasQueue::new),
        compute("rewriting-refused", machines(), Rewrites::new),
        compute("gpu-metrics-refused", machines().without(Trait.GPU_METRICS), Measures::new),
        jobs(
            "exec-refused",
            containers().without(Trait.EXEC),
            Fault.exec((sound, job, command) -> Altered.rude(() -> sound.exec(job, command)))),
        jobs(
            "connect-refused",
            containers().without(Trait.CONNECT),
            Fault.connect((sound, job, port) -> Altered.rude(() -> sound.connect(job, port)))),
        jobs(
            "usage-refused",
            containers().without(Trait.USAGE),
            Fault.usage((sound, jobs) -> Altered.rude(() -> sound.usage(jobs)))));
  }

  private static Variant silentJobs(String check, Trait missing) {
    return jobs(check, containers().without(missing), Fault.start(RefusalVariants::silent));
  }

  /** Takes a job that it cannot run, and says nothing. */
  private static Instant silent(JobRuntime sound, JobRequest request) {
    try {
      return sound.start(request);
    } catch (BackendException.Unsupported e) {
      return Instant.EPOCH;
    }
  }

  private static Variant rudeThings(String check, Trait missing) {
    return things(
        check,
        machines().without(missing),
        Fault.create((sound, request) -> Altered.rude(() -> sound.create(request))));
  }

  private static final class HasQueue extends ForwardingCompute {
    HasQueue(Compute sound) {
      super(sound);
    }

    @Override
    public Optional<JobQueue> queue() {
      return Optional.of(_ -> Map.of());
    }
  }

  private static final class Measures extends ForwardingCompute {
    Measures(Compute sound) {
      super(sound);
    }

    @Override
    public Optional<GpuMetrics> gpuMetrics() {
      return Optional.of(_ -> Map.of());
    }
  }

  private static final class Rewrites extends ForwardingCompute {
    Rewrites(Compute sound) {
      super(sound);
    }

    @Override
    public Optional<Rewriting> rewriting() {
      return Optional.of(request -> request);
    }
  }
}
