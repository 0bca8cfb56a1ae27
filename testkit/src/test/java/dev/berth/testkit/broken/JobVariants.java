package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.broken.Variant.jobs;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** Backends that run jobs wrongly, or lose sight of them. */
final class JobVariants {
  private JobVariants() {}

  static List<Variant> all() {
    AtomicInteger looks = new AtomicInteger();
    Map<String, Long> first = new ConcurrentHashMap<>();
    return List.of(
        jobs(
            "job-runs-and-ends",
            containers(),
            Fault.end(
                end ->
                    new JobObservation.Exited(
                        end.code(), end.cause(), end.detail(), null, end.endedAt()))),
        jobs(
            "job-exit-code-is-told",
            containers(),
            Fault.end(
                end ->
                    Integer.valueOf(0).equals(end.code())
                        ? end
                        : Altered.end(end, 1, end.cause()))),
        jobs(
            "job-is-seen-running",
            containers(),
            Fault.seen(
                seen ->
                    seen instanceof JobObservation.Running
                        ? new JobObservation.Running(Instant.ofEpochSecond(looks.incrementAndGet()))
                        : seen)),
        jobs(
            "job-gets-its-environment",
            containers().wrapped(Shell::type).withShell(),
            Fault.start(
                (sound, request) ->
                    sound.start(
                        Altered.job(
                            request,
                            request.spec().commands(),
                            Map.of(),
                            request.spec().maxDuration())))),
        jobs("job-gets-its-files", containers(), Fault.start(JobVariants::withoutFiles)),
        jobs(
            "job-without-its-files-is-refused",
            containers(),
            Fault.start(JobVariants::withoutFiles)),
        jobs(
            "job-max-duration-ends-it",
            containers(),
            Fault.start(
                (sound, request) ->
                    sound.start(
                        Altered.job(
                            request,
                            request.spec().commands(),
                            request.spec().environment(),
                            null)))),
        jobs(
            "observe-unknown-is-absent",
            containers(),
            Fault.seen(
                seen ->
                    seen instanceof JobObservation.Absent
                        ? new JobObservation.Lost("nobody knows")
                        : seen)),
        jobs("observe-keeps-the-order", containers(), KnownFirst::new),
        jobs(
            "describe-tells-the-status",
            containers(),
            Fault.described(
                description ->
                    new JobDescription(
                        description.observation(),
                        "",
                        description.page(),
                        description.interruptedAt()))),
        jobs("jobs-outlive-the-server", containers(), Forgetful::new),
        jobs("watch-ends-when-closed", containers(), WatchesOn::new),
        jobs(
            "start-twice-runs-once",
            containers(),
            runtime -> new Counting(runtime, (_, _) -> true)),
        jobs("start-after-the-end-runs-nothing", containers(), RunsAgain::new),
        jobs(
            "start-at-once-runs-once",
            containers(),
            runtime ->
                new Counting(
                    runtime,
                    (job, caller) -> {
                      Long firstCaller = first.putIfAbsent(job, caller);
                      return firstCaller == null || !firstCaller.equals(caller);
                    })),
        jobs(
            "start-twice-is-listed-twice",
            containers().identity("lookup"),
            Fault.listed((sound, owner) -> sound.list(owner).stream().distinct().toList())),
        jobs(
            "jobs-are-listed",
            containers(),
            Fault.listed(
                (sound, owner) ->
                    sound.list(owner).stream()
                        .filter(job -> !Altered.hasEnded(sound, job))
                        .toList())),
        jobs("jobs-of-others-are-not-listed", containers(), ListsAll::new),
        jobs("no-job-is-left", containers(), ListsAll::new));
  }

  /** Runs a job and leaves out what it should find. */
  private static Instant withoutFiles(JobRuntime sound, JobRequest request) {
    JobSpec spec = request.spec();
    return sound.start(
        request.with(
            new JobSpec(
                spec.shell(),
                spec.commands(),
                spec.workingDirectory(),
                spec.environment(),
                List.of(),
                spec.stopDuration(),
                spec.maxDuration(),
                spec.requirements(),
                spec.utilization())));
  }

  /** Begins a job that has ended once more. */
  private static final class RunsAgain extends ForwardingRuntime {
    private final Set<String> again = new HashSet<>();

    RunsAgain(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Instant start(JobRequest request) {
      if (Altered.hasEnded(sound, request.attemptId())) {
        again.add(request.attemptId());
      }
      return super.start(request);
    }

    @Override
    public List<JobObservation> observe(List<String> attemptIds) {
      return attemptIds.stream()
          .map(
              job ->
                  again.contains(job)
                      ? new JobObservation.Prepared()
                      : Altered.observed(sound, job))
          .toList();
    }
  }

  /** Answers for the jobs that it knows before the others. */
  private static final class KnownFirst extends ForwardingRuntime {
    KnownFirst(JobRuntime sound) {
      super(sound);
    }

    @Override
    public List<JobObservation> observe(List<String> attemptIds) {
      return super.observe(attemptIds).stream()
          .sorted(Comparator.comparing(seen -> seen instanceof JobObservation.Absent))
          .toList();
    }
  }

  /** Knows only the jobs that it started itself. */
  private static final class Forgetful extends ForwardingRuntime {
    private final Set<String> started = new HashSet<>();

    Forgetful(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Instant start(JobRequest request) {
      started.add(request.attemptId());
      return super.start(request);
    }

    @Override
    public List<JobObservation> observe(List<String> attemptIds) {
      return attemptIds.stream()
          .map(
              job ->
                  started.contains(job)
                      ? Altered.observed(sound, job)
                      : new JobObservation.Absent())
          .toList();
    }
  }

  /** Tells of jobs also after its watches were closed. */
  private static final class WatchesOn extends ForwardingRuntime {
    private final List<Consumer<String>> watchers = new ArrayList<>();

    WatchesOn(JobRuntime sound) {
      super(sound);
    }

    @Override
    public AutoCloseable watch(Consumer<String> changed) {
      watchers.add(changed);
      return () -> {};
    }

    @Override
    public Instant start(JobRequest request) {
      watchers.forEach(watcher -> watcher.accept(request.attemptId()));
      return super.start(request);
    }
  }

  /** Starts a job as often as it is asked to by some threads. */
  private static final class Counting extends ForwardingRuntime {
    private final BiPredicate<String, Long> counts;
    private final List<String> extra = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> started = ConcurrentHashMap.newKeySet();

    Counting(JobRuntime sound, BiPredicate<String, Long> counts) {
      super(sound);
      this.counts = counts;
    }

    @Override
    public Instant start(JobRequest request) {
      if (counts.test(request.attemptId(), Thread.currentThread().threadId())
          && !started.add(request.attemptId())) {
        extra.add(request.attemptId());
      }
      return super.start(request);
    }

    @Override
    public List<String> list(Owner owner) {
      List<String> all = new ArrayList<>(super.list(owner));
      all.addAll(extra);
      return all;
    }
  }

  /** Lists every job that it ever started, for everybody. */
  private static final class ListsAll extends ForwardingRuntime {
    private final List<String> started = new ArrayList<>();

    ListsAll(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Instant start(JobRequest request) {
      started.add(request.attemptId());
      return super.start(request);
    }

    @Override
    public List<String> list(Owner owner) {
      return List.copyOf(started);
    }
  }
}
