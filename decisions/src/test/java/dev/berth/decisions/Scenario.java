package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.Token;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells the decisions one message after the other, and checks what is always true after each. */
final class Scenario {
  static final Instant BEGIN = Instant.parse("2026-11-01T12:00:00Z");
  static final String PROJECT = "main";

  final Memory memory = new Memory();
  final List<Event> events = new ArrayList<>();
  private Instant now = BEGIN;

  /** What the last batch gave to the dispatcher. */
  final List<Action> handedOver = new ArrayList<>();

  private int submitted;

  /** What can be bought. */
  OfferView market = OfferView.NONE;

  static Scenario with(Instance... machines) {
    Scenario scenario = new Scenario();
    for (Instance machine : machines) {
      scenario.tell(new Message.InstanceFound(machine));
    }
    return scenario;
  }

  /** One batch, as the loop decides it; returns the last reply. */
  Reply tell(Message... batch) {
    Draft all = new Draft(memory);
    Reply reply = new Reply.None();
    for (Message message : batch) {
      Draft own = new Draft(all);
      reply = Decisions.decide(own, message, now);
      all.absorb(own);
    }
    Draft pass = new Draft(all);
    Decisions.schedule(pass, market, now);
    all.absorb(pass);
    memory.apply(all);
    events.addAll(all.events());
    handedOver.clear();
    all.actions().stream()
        .filter(action -> action.state() == Action.State.IN_FLIGHT)
        .forEach(handedOver::add);
    Invariants.check(memory);
    return reply;
  }

  Instant now() {
    return now;
  }

  void later(Duration time) {
    now = now.plus(time);
  }

  /** Tells everything whose time has come, as the loop does. */
  void tellWhatIsDue() {
    List<Message> due = new ArrayList<>();
    Stream.of(
            Run.class,
            Placement.class,
            Attempt.class,
            Resource.class,
            Instance.class,
            Fleet.class,
            Token.class)
        .flatMap(type -> memory.active(type).stream())
        .filter(entity -> isDue(entity.due()))
        .forEach(entity -> due.add(new Message.Due(entity.kind(), entity.id())));
    memory
        .unfinishedActions()
        .filter(action -> action.state() == Action.State.PENDING && isDue(action.due()))
        .forEach(action -> due.add(new Message.ActionDue(action.id())));
    tell(due.toArray(Message[]::new));
  }

  private boolean isDue(@Nullable Instant at) {
    return at != null && !at.isAfter(now);
  }

  /** Lets time pass, and tells what is due then. */
  void pass(Duration time) {
    later(time);
    tellWhatIsDue();
  }

  /** Says how an action went. */
  void report(Action action, ActionOutcome outcome) {
    tell(new Message.ActionReported(action.id(), outcome));
  }

  /** Whether an id is the one given, or that of a record that was made for it at some time. */
  static boolean isOf(String id, String named) {
    return id.equals(named) || (named.contains("~") && id.startsWith(named + "~"));
  }

  /** What is being carried out for a resource. */
  Action flying(String resourceId) {
    return memory
        .unfinishedActions()
        .filter(action -> isOf(action.resourceId(), resourceId))
        .filter(action -> action.state() == Action.State.IN_FLIGHT)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing is under way for " + resourceId));
  }

  Message.Submit submission(String name, TaskBuilder task) {
    return submission(name, task, 1, List.of());
  }

  Message.Submit submission(String name, TaskBuilder task, int replicas, List<String> after) {
    return submission(PROJECT, name, task, replicas, after);
  }

  /** One of another project. */
  Message.Submit submissionElsewhere(String name, TaskBuilder task) {
    return submission("elsewhere", name, task, 1, List.of());
  }

  // The checker does not read from class files that values of the file may be null.
  @SuppressWarnings("NullAway")
  private Message.Submit submission(
      String project, String name, TaskBuilder task, int replicas, List<String> after) {
    String id = String.format(Locale.ROOT, "r%04d", ++submitted);
    return new Message.Submit(
        id,
        project,
        "ann",
        name,
        task.written(),
        task.plan(project, List.of(), ContainerImages.USUAL).spec().withReplicas(replicas),
        after);
  }

  /** Submits a run of many replicas and returns its id. */
  String submit(String name, TaskBuilder task, int replicas) {
    Message.Submit one = submission(name, task, replicas, List.of());
    tell(one);
    return one.runId();
  }

  /** Submits a run that waits for others and returns its id. */
  String submitAfter(String name, TaskBuilder task, String... others) {
    Message.Submit one = submission(name, task, 1, List.of(others));
    tell(one);
    return one.runId();
  }

  /** Makes or changes a fleet, and returns its id. */
  String applyFleet(String name, Fleet.Spec spec) {
    Reply reply =
        tell(
            new Message.ApplyFleet(
                "f" + ++submitted, PROJECT, "ann", name, Map.of("name", name), spec));
    return ((Reply.Accepted) reply).runId();
  }

  Reply deleteFleet(String name) {
    return tell(new Message.DeleteFleet(PROJECT, name, "ann"));
  }

  Fleet fleet(String id) {
    return memory.stored(Fleet.class, id).orElseThrow();
  }

  /** Submits a run and returns its id. */
  String submit(String name, TaskBuilder task) {
    Message.Submit submission = submission(name, task);
    tell(submission);
    return submission.runId();
  }

  String submit(String name) {
    return submit(name, TaskBuilder.task());
  }

  /** A run whose job runs. */
  String running(String name) {
    String run = submit(name);
    startWorked(run);
    return run;
  }

  Reply stop(String name) {
    return tell(new Message.Stop(PROJECT, name, false, "ann"));
  }

  Reply abort(String name) {
    return tell(new Message.Stop(PROJECT, name, true, "ann"));
  }

  Reply delete(String runId) {
    return tell(deletion(runId));
  }

  Message.Delete deletion(String runId) {
    return new Message.Delete(run(runId), belongings(runId), "ann");
  }

  private List<Entity> belongings(String runId) {
    List<Entity> found = new ArrayList<>();
    memory.all(Job.class).filter(job -> job.runId().equals(runId)).forEach(found::add);
    memory.all(Attempt.class).filter(attempt -> attempt.runId().equals(runId)).forEach(found::add);
    memory.all(Placement.class).filter(one -> one.runId().equals(runId)).forEach(found::add);
    memory.all(Resource.class).filter(one -> one.id().startsWith(runId)).forEach(found::add);
    return found;
  }

  void startWorked(String runId) {
    worked(runId, Action.Type.START_JOB);
  }

  void worked(String runId, Action.Type type) {
    tell(new Message.ActionReported(action(runId, type).id(), new ActionOutcome.Done(now)));
  }

  void failed(String runId, Action.Type type, String why, boolean transientFailure) {
    tell(
        new Message.ActionReported(
            action(runId, type).id(), new ActionOutcome.Failed(why, transientFailure)));
  }

  void observe(String runId, JobObservation observation) {
    tell(new Message.Observed(attemptId(runId), observation));
  }

  JobObservation.Exited exited(int code) {
    return exited(code, JobObservation.Cause.EXITED);
  }

  JobObservation.Exited exited(int code, JobObservation.Cause cause) {
    return new JobObservation.Exited(code, cause, "", now, now);
  }

  static String attemptId(String runId) {
    return runId + "-0-0-1";
  }

  Run run(String runId) {
    return memory.stored(Run.class, runId).orElseThrow();
  }

  Job job(String runId) {
    return memory.stored(Job.class, runId + "-0-0").orElseThrow();
  }

  /** The newest attempt of a run. */
  Attempt attempt(String runId) {
    return attempt(runId, 0);
  }

  /** The newest attempt of one rank of a run. */
  Attempt attempt(String runId, int rank) {
    return attempts(runId, rank).getLast();
  }

  /** All attempts of one rank of a run, the oldest first. */
  List<Attempt> attempts(String runId, int rank) {
    return IntStream.rangeClosed(1, 60)
        .mapToObj(number -> memory.stored(Attempt.class, runId + "-0-" + rank + "-" + number))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The machine of the newest attempt of one rank. */
  Instance machineOf(String runId, int rank) {
    return machine(String.valueOf(attempt(runId, rank).instanceId()));
  }

  /** Says that the newest attempt of one rank has ended by itself. */
  void exit(String runId, int rank, int code) {
    tell(new Message.Observed(attempt(runId, rank).id(), exited(code)));
  }

  Placement placement(String runId) {
    return memory.stored(Placement.class, runId + "-0-p1").orElseThrow();
  }

  Resource resource(String runId) {
    return memory.stored(Resource.class, attemptId(runId)).orElseThrow();
  }

  Instance machine(String id) {
    return memory.stored(Instance.class, id).orElseThrow();
  }

  /** The newest action of a type, finished or not. */
  Action action(String runId, Action.Type type) {
    return actions(runId).stream()
        .filter(action -> action.type() == type)
        .reduce((_, second) -> second)
        .orElseThrow();
  }

  List<Action> actions(String runId) {
    return memory.actions().stream()
        .filter(action -> action.resourceId().startsWith(runId + "-"))
        .toList();
  }

  /** The type of what is being carried out for a run's job. */
  List<Action.Type> inFlight(String runId) {
    return actions(runId).stream()
        .filter(action -> action.state() == Action.State.IN_FLIGHT)
        .map(Action::type)
        .toList();
  }

  /** Somebody else who waits for a place. */
  Placement submissionOf(String runId) {
    return new Placement(
        runId + "-p",
        PROJECT,
        runId,
        0,
        Placement.State.RESERVING,
        List.of(),
        List.of(),
        now,
        List.of(),
        0,
        "",
        0,
        null,
        now);
  }

  List<String> eventsOf(String entityId) {
    return events.stream()
        .filter(event -> isOf(event.entityId(), entityId))
        .map(Event::kind)
        .toList();
  }
}
