package dev.berth.testkit;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Trait;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The jobs of a check, and how it looks at them. */
public final class Jobs {
  private static final ResourceVector SHARE = new ResourceVector(1, 1, 256, 0, Set.of());
  private static final int PIECE = 8192;

  private final Session session;
  private final Trial trial;
  private final List<String> started = new ArrayList<>();

  Jobs(Session session, Trial trial) {
    this.session = session;
    this.trial = trial;
  }

  /** The backend's, whose calls are made again later when the provider says one was too many. */
  public JobRuntime runtime() {
    return new RetryingRuntime(session.runtime(), session.waiting());
  }

  /** The backend's as it is. */
  public JobRuntime runtimeWithoutRetries() {
    return session.runtime();
  }

  /** A job that could be started as it is. */
  public JobRequest request(String... commands) {
    return request(List.of(commands), null, Map.of());
  }

  public JobRequest request(
      List<String> commands, @Nullable Duration longest, Map<String, String> environment) {
    JobRequest bare = bare(commands, longest, environment);
    return switch (trial.traits().base()) {
      case HOSTS -> bare;
      case CONTAINERS -> bare.at(trial.place());
      case MACHINES -> bare.at(trial.place().on(machine().ref().id()));
    };
  }

  /** A job of a group, which gets its place from the group. */
  public JobRequest member(String... commands) {
    return bare(List.of(commands), null, Map.of());
  }

  private JobRequest bare(
      List<String> commands, @Nullable Duration longest, Map<String, String> environment) {
    JobSpec spec =
        new JobSpec(
            null, commands, null, environment, List.of(), null, longest, JobSpec.Requirements.NONE);
    JobRequest request = new JobRequest(trial.key(), spec, SHARE);
    return trial.traits().has(Trait.IMAGES) ? request.in(container()) : request;
  }

  /** The same job with one more file. */
  public JobRequest withFile(JobRequest request, String archive, String target) {
    JobSpec spec = request.spec();
    List<JobSpec.File> files = new ArrayList<>(spec.files());
    files.add(new JobSpec.File("kit", target, archive));
    return request.with(
        new JobSpec(
            spec.shell(),
            spec.commands(),
            spec.workingDirectory(),
            spec.environment(),
            files,
            spec.stopDuration(),
            spec.maxDuration(),
            spec.requirements(),
            spec.utilization()));
  }

  /** The files that jobs can get. */
  public KitArchives archives() {
    return session.archives();
  }

  /** The container that jobs run in. */
  public Container container() {
    return Container.of(trial.subject().image());
  }

  /** The machine that jobs run on, where the backend makes machines. */
  public Found machine() {
    return session.machine(
        () -> {
          Resources things = trial.things();
          Found made = session.provisioner().create(things.machine(trial.key(), trial.place()));
          try {
            return things.awaitReady(made.ref());
          } catch (RuntimeException | Error e) {
            // The next check makes another one, so this one must not stay.
            session.provisioner().delete(made.ref());
            throw e;
          }
        });
  }

  /** Starts a job that is removed when the check ends. */
  public String start(JobRequest request) {
    return start(runtime(), request);
  }

  /** The same, by a backend that was opened again. */
  public String start(JobRuntime by, JobRequest request) {
    session.watch();
    keepInMind(request.attemptId());
    session.waiting().unhurried(() -> by.start(request));
    return request.attemptId();
  }

  public String run(String... commands) {
    return start(request(commands));
  }

  /**
   * Whether a shell calculates. Where the job does not even run, what it says is not asked: a check
   * of real shells then fails as all the others do.
   */
  boolean shellCalculates() {
    String job = run("echo $((40 + 2))");
    return !Integer.valueOf(0).equals(awaitEnd(job).code())
        || output(job, JobRuntime.Stream.STDOUT).equals("42\n");
  }

  /** Lets a job be removed when the check ends, whoever starts it. */
  public void keepInMind(String attemptId) {
    synchronized (started) {
      started.add(attemptId);
    }
  }

  public JobObservation observe(String attemptId) {
    return observe(runtime(), attemptId);
  }

  public JobObservation observe(JobRuntime by, String attemptId) {
    List<JobObservation> seen = by.observe(List.of(attemptId));
    Expect.same(1, seen.size(), "observe() of one job gives one observation");
    return seen.getFirst();
  }

  /** Waits until a job runs. */
  public JobObservation.Running awaitRunning(String attemptId) {
    return trial.await(
        trial.limits().ready(),
        "observe() did not show the job as Running",
        () ->
            switch (observe(attemptId)) {
              case JobObservation.Running running -> Optional.of(running);
              case JobObservation.Prepared _ -> Optional.empty();
              case JobObservation.Exited exited ->
                  throw new CheckFailure(
                      "the job should run for minutes, and ended at once: code %s, %s %s"
                          .formatted(exited.code(), exited.cause(), exited.detail()));
              case JobObservation.Lost(String detail) ->
                  throw new CheckFailure("the job was lost: " + detail);
              case JobObservation.Absent _ ->
                  throw new CheckFailure(
                      "a job that was started is Absent: observe() must know it from the moment"
                          + " start() returns");
            });
  }

  /** Waits until a job has ended. */
  public JobObservation.Exited awaitEnd(String attemptId) {
    return awaitEnd(runtime(), attemptId);
  }

  /** The same, seen by a backend that was opened again. */
  public JobObservation.Exited awaitEnd(JobRuntime by, String attemptId) {
    return trial.await(
        trial.limits().ready(),
        "observe() did not show the job as Exited",
        () ->
            switch (observe(by, attemptId)) {
              case JobObservation.Exited exited -> Optional.of(exited);
              case JobObservation.Prepared _, JobObservation.Running _ -> Optional.empty();
              case JobObservation.Lost(String detail) ->
                  throw new CheckFailure("the job was lost: " + detail);
              case JobObservation.Absent _ ->
                  throw new CheckFailure(
                      "a job that was not removed is Absent: keep it after its end until"
                          + " remove()");
            });
  }

  /** All output of a job that has ended, read in pieces. */
  public String output(String attemptId, JobRuntime.Stream stream) {
    return output(runtime(), attemptId, stream, PIECE);
  }

  public String output(JobRuntime by, String attemptId, JobRuntime.Stream stream, int pieceBytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    trial.await(
        trial.limits().ready(),
        "read() of a job that ended did not come to an end: set 'ended' with its last byte",
        () -> {
          JobRuntime.Output piece = by.read(attemptId, stream, all.size(), pieceBytes);
          all.writeBytes(piece.bytes());
          // Output may come some time after the end; while some comes there is no reason to pause.
          while (piece.bytes().length > 0 && !piece.ended()) {
            piece = by.read(attemptId, stream, all.size(), pieceBytes);
            all.writeBytes(piece.bytes());
          }
          return piece.ended() ? Optional.of(true) : Optional.empty();
        });
    return all.toString(StandardCharsets.UTF_8);
  }

  void cleanUp() {
    for (String attemptId : started) {
      try {
        runtime().remove(attemptId);
      } catch (RuntimeException | AssertionError e) {
        session.cleaningFailed("a job could not be removed", e);
      }
    }
  }
}
