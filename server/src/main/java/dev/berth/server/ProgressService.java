package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.JobObservation;
import dev.berth.model.JobStatus;
import dev.berth.model.Run;
import dev.berth.model.api.JobProgressView;
import dev.berth.model.api.RunProgressView;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * How far the start of runs is. Backends are asked when somebody wants to know, and whoever asks
 * waits for them for a moment only: a question that hangs goes on by itself, and whoever asks the
 * same meanwhile waits for its answer instead of asking again.
 */
final class ProgressService {
  private static final System.Logger LOG = System.getLogger(ProgressService.class.getName());

  /** A person who looks does not wait longer. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** So many jobs of a run are asked for one by one. */
  private static final int MOST_DESCRIBED = 20;

  private static final Executor THREADS =
      task -> Thread.ofVirtual().name("berth-progress").start(task);

  private final ControlPlane control;
  private final Store store;

  /** What is asked now. Safe for any thread. */
  private final Map<Question, CompletableFuture<Map<String, Told>>> asked =
      new ConcurrentHashMap<>();

  ProgressService(ControlPlane control, Store store) {
    this.control = control;
    this.store = store;
  }

  private record Question(String runId, String backend) {}

  /**
   * What is known of a job that does not run yet.
   *
   * @param description empty where it could not be had
   * @param message why it could not; empty where it could
   */
  private record Told(Optional<JobDescription> description, String message) {}

  RunProgressView progress(String project, String name) throws InterruptedException {
    Run run = store.run(project, name);
    List<Attempt> attempts = store.attempts(run.id());
    Set<String> warnings = new LinkedHashSet<>();
    attempts.forEach(attempt -> warnings.addAll(attempt.warnings()));
    List<JobProgressView> jobs = run.active() ? jobs(run, attempts) : List.of();
    jobs.forEach(job -> warnings.addAll(job.warnings()));
    return new RunProgressView(run.name(), run.status().word(), jobs, List.copyOf(warnings));
  }

  private List<JobProgressView> jobs(Run run, List<Attempt> attempts) throws InterruptedException {
    Map<String, List<Attempt>> byBackend =
        attempts.stream()
            .filter(ProgressService::mayStart)
            .collect(
                Collectors.groupingBy(
                    attempt -> Objects.requireNonNull(attempt.backend()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    Map<String, CompletableFuture<Map<String, Told>>> answers = new LinkedHashMap<>();
    byBackend.forEach(
        (backend, some) ->
            answers.put(backend, ask(new Question(run.id(), backend), List.copyOf(some))));
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<JobProgressView> jobs = new ArrayList<>();
    for (Map.Entry<String, List<Attempt>> one : byBackend.entrySet()) {
      CompletableFuture<Map<String, Told>> answer =
          Objects.requireNonNull(answers.get(one.getKey()));
      Map<String, Told> told = await(answer, one.getKey(), one.getValue(), end - System.nanoTime());
      one.getValue().stream()
          .filter(attempt -> told.containsKey(attempt.id()))
          .map(attempt -> view(attempt, Objects.requireNonNull(told.get(attempt.id()))))
          .forEach(jobs::add);
    }
    return jobs;
  }

  /** An attempt counts as running from when it was handed over: its backend knows whether it is. */
  private static boolean mayStart(Attempt attempt) {
    return attempt.backend() != null
        && (attempt.status() == JobStatus.PROVISIONING || attempt.status() == JobStatus.RUNNING);
  }

  private CompletableFuture<Map<String, Told>> ask(Question question, List<Attempt> attempts) {
    CompletableFuture<Map<String, Told>> answer =
        asked.computeIfAbsent(
            question,
            _ ->
                CompletableFuture.supplyAsync(() -> answer(question.backend(), attempts), THREADS));
    var _ = answer.whenComplete((_, _) -> asked.remove(question, answer));
    return answer;
  }

  private static Map<String, Told> await(
      CompletableFuture<Map<String, Told>> answer,
      String backend,
      List<Attempt> attempts,
      long nanos)
      throws InterruptedException {
    try {
      return answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return unknown(
          attempts,
          "the backend '"
              + BackendKey.nameOrNull(backend)
              + "' does not answer now, so it is not known whether the job is running");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BackendException) {
        return unknown(attempts, String.valueOf(e.getCause().getMessage()));
      }
      throw new IllegalStateException("it could not be looked how far jobs are", e.getCause());
    }
  }

  /** Some of them may run; only the backend could tell. */
  private static Map<String, Told> unknown(List<Attempt> attempts, String why) {
    Map<String, Told> told = new LinkedHashMap<>();
    attempts.forEach(attempt -> told.put(attempt.id(), new Told(Optional.empty(), why)));
    return told;
  }

  private Map<String, Told> answer(String backend, List<Attempt> attempts) {
    JobRuntime runtime =
        Optional.ofNullable(control.backends().get(backend)).flatMap(Compute::runtime).orElse(null);
    if (runtime == null) {
      return unknown(attempts, "the backend was removed");
    }
    List<JobObservation> seen = runtime.observe(attempts.stream().map(Attempt::id).toList());
    Map<String, Told> told = new LinkedHashMap<>();
    for (int i = 0; i < attempts.size(); i++) {
      String id = attempts.get(i).id();
      if (seen.get(i) instanceof JobObservation.Prepared) {
        told.put(
            id,
            told.size() < MOST_DESCRIBED
                ? describe(runtime, id)
                : new Told(Optional.empty(), "others of the run are shown"));
      } else if (seen.get(i) instanceof JobObservation.Absent
          && attempts.get(i).status() == JobStatus.PROVISIONING) {
        told.put(id, new Told(Optional.empty(), "its place is being prepared"));
      }
    }
    return told;
  }

  private static Told describe(JobRuntime runtime, String attemptId) {
    try {
      return new Told(Optional.of(runtime.describe(attemptId)), "");
    } catch (BackendException.Gone e) {
      LOG.log(System.Logger.Level.DEBUG, attemptId + " went while it was looked at", e);
      return new Told(Optional.empty(), "the backend no longer knows it");
    }
  }

  private static JobProgressView view(Attempt attempt, Told told) {
    return new JobProgressView(
        attempt.id(),
        Attempt.numberOf(attempt.jobId()),
        BackendKey.nameOrNull(attempt.backend()),
        told.description().map(JobDescription::providerStatus).orElse(null),
        told.description().map(JobDescription::warnings).orElse(List.of()),
        told.message().isEmpty() ? null : told.message());
  }
}
