package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.compute;
import static dev.berth.testkit.broken.Variant.jobs;

import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobQueue;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import dev.berth.spi.Rewriting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Backends that do less with containers, queues and connections than they say. */
final class ContainerVariants {
  private ContainerVariants() {}

  static List<Variant> all() {
    return Stream.of(containerFaults(), behaviours(), connections()).flatMap(List::stream).toList();
  }

  private static List<Variant> containerFaults() {
    return List.of(
        refusing("container-runs-an-image", ContainerVariants::hasContainer),
        refusing(
            "container-takes-an-entrypoint-of-2-kb",
            request ->
                Optional.ofNullable(request.container())
                    .map(Container::entrypoint)
                    .filter(line -> line.length() > 1024)
                    .isPresent()),
        refusing(
            "container-takes-ports",
            request ->
                Optional.ofNullable(request.container())
                    .filter(container -> !container.ports().isEmpty())
                    .isPresent()),
        refusing(
            "container-sees-accelerators",
            request ->
                Optional.ofNullable(request.place())
                    .map(Place::instanceType)
                    .filter(type -> !type.contains("cpu"))
                    .isPresent()),
        jobs(
            "container-runs-as-root",
            containers().wrapped(Shell::type).withShell(),
            Fault.start(
                (sound, request) ->
                    sound.start(
                        Altered.job(
                            request,
                            request.spec().commands().stream()
                                .map(command -> command.replace("id -u", "echo 1000"))
                                .toList(),
                            request.spec().environment(),
                            request.spec().maxDuration())))),
        jobs(
            "privileged-container-runs",
            machines(),
            refusal(
                request ->
                    Optional.ofNullable(request.container())
                        .filter(Container::privileged)
                        .isPresent())),
        jobs(
            "instance-volumes-are-mounted",
            machines(),
            refusal(
                request ->
                    Optional.ofNullable(request.container())
                        .filter(container -> !container.mounts().isEmpty())
                        .isPresent())),
        jobs("machine-is-used-again", machines(), UsesOnce::new),
        jobs("machine-is-shared-in-blocks", machines(), OneAtATime::new),
        jobs(
            "job-at-unknown-place-refused",
            containers(),
            Fault.start(
                (sound, request) -> {
                  try {
                    return sound.start(request);
                  } catch (BackendException.Permanent | BackendException.NoCapacity e) {
                    throw new BackendException.Transient("the provider said no", e);
                  }
                })));
  }

  private static boolean hasContainer(JobRequest request) {
    return request.container() != null;
  }

  private static Variant refusing(String check, Predicate<JobRequest> which) {
    return jobs(check, containers(), refusal(which));
  }

  private static UnaryOperator<JobRuntime> refusal(Predicate<JobRequest> which) {
    return Fault.start(
        (sound, request) -> {
          if (which.test(request)) {
            throw Altered.permanent();
          }
          return sound.start(request);
        });
  }

  /** Takes one job, and then no other. */
  private static final class UsesOnce extends ForwardingRuntime {
    private final Set<String> started = new HashSet<>();

    UsesOnce(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Instant start(JobRequest request) {
      started.add(request.attemptId());
      if (started.size() > 1) {
        throw Altered.permanent();
      }
      return super.start(request);
    }
  }

  /** Takes no job while another one runs. */
  private static final class OneAtATime extends ForwardingRuntime {
    private final List<String> started = new ArrayList<>();

    OneAtATime(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Instant start(JobRequest request) {
      if (started.stream().anyMatch(job -> Altered.runs(sound, job))) {
        throw Altered.permanent();
      }
      started.add(request.attemptId());
      return super.start(request);
    }
  }

  private static List<Variant> behaviours() {
    AtomicInteger rewritten = new AtomicInteger();
    return List.of(
        compute("queue-positions-are-of-waiting-jobs", containers(), AllWait::new),
        compute(
            "gpu-metrics-are-of-running-jobs",
            containers(),
            measuring(
                (sound, jobs) ->
                    jobs.stream()
                        .collect(Collectors.toMap(GpuMetrics.Holder::attemptId, _ -> List.of(0))))),
        compute(
            "gpu-metrics-count-each-accelerator",
            machines(),
            measuring(
                (sound, jobs) -> {
                  Map<String, List<Integer>> told = new HashMap<>(sound.utilisation(jobs));
                  told.replaceAll((_, percents) -> List.of(percents.getFirst(), 0));
                  return told;
                })),
        jobs(
            "usage-is-of-running-jobs",
            containers(),
            Fault.usage(
                (sound, jobs) ->
                    jobs.stream()
                        .collect(
                            Collectors.toMap(
                                job -> job,
                                _ -> new JobUsage(Instant.EPOCH, Duration.ZERO, 1, null))))),
        jobs(
            "usage-grows",
            containers(),
            Fault.usage(
                (sound, jobs) -> {
                  Map<String, JobUsage> told = new HashMap<>(sound.usage(jobs));
                  told.replaceAll(
                      (_, usage) -> new JobUsage(Instant.EPOCH, usage.processorTime(), 1, null));
                  return told;
                })),
        compute(
            "rewriting-is-pure",
            containers(),
            rewriting(
                request ->
                    Altered.job(
                        request,
                        request.spec().commands(),
                        Map.of("NUMBER", Integer.toString(rewritten.incrementAndGet())),
                        null))),
        compute(
            "rewriting-keeps-key-share-and-place",
            containers(),
            rewriting(
                request ->
                    new JobRequest(
                        request.attemptId() + "-rewritten",
                        request.spec(),
                        request.share(),
                        request.place(),
                        request.container()))),
        compute(
            "rewritten-job-runs",
            containers(),
            rewriting(
                request -> Altered.job(request, List.of("echo something else"), Map.of(), null))));
  }

  private static UnaryOperator<Compute> measuring(
      BiFunction<GpuMetrics, List<GpuMetrics.Holder>, Map<String, List<Integer>>> wrong) {
    return compute ->
        new ForwardingCompute(compute) {
          @Override
          public Optional<GpuMetrics> gpuMetrics() {
            return super.gpuMetrics().map(sound -> jobs -> wrong.apply(sound, jobs));
          }
        };
  }

  private static UnaryOperator<Compute> rewriting(Rewriting wrong) {
    return compute ->
        new ForwardingCompute(compute) {
          @Override
          public Optional<Rewriting> rewriting() {
            return Optional.of(wrong);
          }
        };
  }

  private static final class AllWait extends ForwardingCompute {
    AllWait(Compute sound) {
      super(sound);
    }

    @Override
    public Optional<JobQueue> queue() {
      return Optional.of(jobs -> jobs.stream().collect(Collectors.toMap(job -> job, _ -> 0)));
    }
  }

  private static List<Variant> connections() {
    return List.of(
        jobs(
            "exec-gives-output-and-code",
            containers(),
            Fault.exec((sound, job, _) -> sound.exec(job, List.of("echo", "other")))),
        jobs(
            "exec-passes-input",
            containers(),
            Fault.exec(
                (sound, job, command) ->
                    sound.exec(
                        job,
                        command.equals(List.of("cat")) ? List.of("echo", "nothing") : command))),
        jobs(
            "exec-without-a-running-job-gone",
            containers(),
            Fault.exec(
                (sound, job, command) -> {
                  if (!Altered.runs(sound, job)) {
                    throw Altered.noAnswer();
                  }
                  return sound.exec(job, command);
                })),
        jobs(
            "connect-reaches-a-port",
            containers(),
            Fault.connect((sound, job, port) -> sound.connect(job, port + 1))),
        jobs(
            "connect-to-a-silent-port-transient",
            containers(),
            Fault.connect(
                (sound, job, port) -> {
                  try {
                    return sound.connect(job, port);
                  } catch (BackendException.Transient e) {
                    throw new BackendException.Permanent("nobody listens", e);
                  }
                })),
        jobs(
            "connect-without-a-running-job-gone",
            containers(),
            Fault.connect(
                (sound, job, port) -> {
                  if (!Altered.runs(sound, job)) {
                    throw Altered.noAnswer();
                  }
                  return sound.connect(job, port);
                })));
  }
}
