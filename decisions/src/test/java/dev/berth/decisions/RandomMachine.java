package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.JobObservation;
import dev.berth.model.Place;
import dev.berth.model.Resource;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A machine that keeps the contract of a runtime and is otherwise as unreliable as chance wants it:
 * calls fail before or after their effect, runners die, jobs ignore a stop or vanish.
 */
final class RandomMachine {
  private final Random random;
  private final Map<String, Job> jobs = new TreeMap<>();
  private final Map<String, Deque<Action>> calls = new TreeMap<>();

  /** The provider's ids of machines that are not there any more. */
  private final Set<String> gone = new HashSet<>();

  private boolean reliable;

  private static final class Job {
    JobObservation seen = new JobObservation.Absent();
    boolean mayStart = true;
    boolean wasKilled;

    /** The provider's id of the machine that it runs on, or nothing. */
    String machine = "";

    /** How often it was started, where a provider cannot tell. */
    int copies = 1;
  }

  RandomMachine(Random random) {
    this.random = random;
  }

  /** From now on every call works, and whatever runs ends soon. */
  void becomeReliable() {
    reliable = true;
  }

  /** Calls for one job are made one after the other, in the order in which they were decided. */
  void accept(Action action) {
    calls.computeIfAbsent(action.resourceId(), _ -> new ArrayDeque<>()).add(action);
  }

  List<String> busy() {
    return calls.entrySet().stream()
        .filter(line -> !line.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Makes the next call for a job; a crash of the server makes it once more. */
  Message call(String attemptId, Instant now) {
    Deque<Action> line = calls.computeIfAbsent(attemptId, _ -> new ArrayDeque<>());
    Action action = line.removeFirst();
    if (isAskedOnce(action)) {
      return new Message.ActionReported(action.id(), outcomeOfOne(action, now));
    }
    if (chance(5)) {
      line.addFirst(action);
    }
    return new Message.ActionReported(action.id(), outcome(action, now));
  }

  /** Whether asking twice would start two, because the job itself is what is bought. */
  private static boolean isAskedOnce(Action action) {
    return action.type() == Action.Type.START_JOB && isBought(action);
  }

  private static boolean isBought(Action action) {
    Place place = action.job().orElseThrow().place();
    return place != null && place.instance() == null;
  }

  private ActionOutcome outcomeOfOne(Action action, Instant now) {
    if (chance(20)) {
      return ActionOutcome.Failed.soldOut("sold out");
    }
    boolean lost = chance(25);
    if (!lost || random.nextBoolean()) {
      Job job = job(action.resourceId());
      job.seen = new JobObservation.Running(now);
      job.mayStart = false;
      job.copies = lost && random.nextInt(3) == 0 ? 2 : 1;
    }
    return lost
        ? ActionOutcome.Failed.inDoubt("no answer", RandomCloud.VISIBLE)
        : new ActionOutcome.Done(now);
  }

  /** A machine is gone, and all that ran there. */
  void lose(String machine) {
    gone.add(machine);
    jobs.values().stream()
        .filter(job -> job.machine.equals(machine))
        .forEach(
            job -> {
              job.seen = new JobObservation.Absent();
              job.wasKilled = true;
              job.mayStart = false;
            });
  }

  private ActionOutcome outcome(Action action, Instant now) {
    Job job = job(action.resourceId());
    if (chance(10)) {
      return failed();
    }
    switch (action.type()) {
      case START_JOB -> {
        Place place = action.job().orElseThrow().place();
        job.machine = place == null || place.instance() == null ? "" : place.instance();
        if (gone.contains(job.machine)) {
          return new ActionOutcome.Failed("nobody answers", true);
        }
        if (job.seen instanceof JobObservation.Absent && job.mayStart) {
          job.mayStart = false;
          job.seen =
              chance(10)
                  ? new JobObservation.Exited(
                      null, JobObservation.Cause.START_FAILED, "no such shell", null, now)
                  : new JobObservation.Running(now);
        }
      }
      case STOP_JOB -> {
        job.mayStart = false;
        if (job.seen instanceof JobObservation.Running && !chance(30)) {
          end(job, 143, JobObservation.Cause.STOPPED, now);
        }
      }
      case KILL_JOB -> {
        job.mayStart = false;
        job.wasKilled = true;
        if (job.seen instanceof JobObservation.Running
            || (job.seen instanceof JobObservation.Lost && random.nextBoolean())) {
          end(job, 137, JobObservation.Cause.KILLED, now);
        }
      }
      case LOOK -> {
        boolean there = !(job.seen instanceof JobObservation.Absent);
        return new ActionOutcome.Looked(
            Collections.nCopies(there ? job.copies : 0, new Resource.Ref("job", "eu-1", Map.of())),
            RandomCloud.VISIBLE);
      }
      case CREATE, DELETE -> throw new IllegalStateException("nothing is bought here: " + action);
      case RELEASE_JOB, REMOVE_JOB -> {
        job.mayStart = false;
        job.seen = new JobObservation.Absent();
      }
    }
    return chance(10) ? failed() : new ActionOutcome.Done(now);
  }

  private ActionOutcome failed() {
    return new ActionOutcome.Failed("bad luck", random.nextInt(4) > 0);
  }

  /** Something happens by itself to a job that runs. */
  void happen(String attemptId, Instant now) {
    Job job = job(attemptId);
    if (!(job.seen instanceof JobObservation.Running)) {
      return;
    }
    switch (reliable ? 0 : random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> end(job, 0, JobObservation.Cause.EXITED, now);
      case 5, 6 -> end(job, 1, JobObservation.Cause.EXITED, now);
      case 7 -> end(job, 143, JobObservation.Cause.MAX_DURATION_EXCEEDED, now);
      case 8 -> end(job, 137, JobObservation.Cause.OUT_OF_MEMORY, now);
      case 9, 10 -> job.seen = new JobObservation.Lost("the runner is gone");
      default -> {
        job.seen = new JobObservation.Absent();
        job.wasKilled = true;
      }
    }
  }

  JobObservation look(String attemptId) {
    return job(attemptId).seen;
  }

  /** Jobs of which something may still run. */
  List<String> alive() {
    List<String> alive = new ArrayList<>();
    jobs.forEach(
        (id, job) -> {
          if (job.seen instanceof JobObservation.Running
              || (job.seen instanceof JobObservation.Lost && !job.wasKilled)) {
            alive.add(id);
          }
        });
    return alive;
  }

  private static void end(Job job, int code, JobObservation.Cause cause, Instant now) {
    Instant from = job.seen instanceof JobObservation.Running running ? running.startedAt() : now;
    job.seen = new JobObservation.Exited(code, cause, "", from, now);
  }

  private boolean chance(int percent) {
    return !reliable && random.nextInt(100) < percent;
  }

  private Job job(String attemptId) {
    return jobs.computeIfAbsent(attemptId, _ -> new Job());
  }
}
