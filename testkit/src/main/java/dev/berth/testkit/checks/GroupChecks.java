package dev.berth.testkit.checks;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Optional;

/** Several jobs that are made and deleted as one. */
final class GroupChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "group-starts-all-its-jobs",
                  "create() of a group starts every job of it, and shows a member for each.",
                  GroupChecks::starts)
              .using(Trait.GROUPS),
          check(
                  "group-is-deleted-as-one",
                  "delete() of a group ends all its jobs.",
                  GroupChecks::deletes)
              .using(Trait.GROUPS),
          check(
                  "group-is-made-whole-or-not",
                  "Where one job of a group cannot be, none is made.",
                  GroupChecks::whole)
              .using(Trait.GROUPS),
          check(
                  "groups-refused",
                  "Without GROUPS a group is refused, and nothing of it is made.",
                  GroupChecks::refused)
              .refusing(Trait.GROUPS));

  private GroupChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.GROUPS, name, sentence, body);
  }

  /** As many jobs as the backend can have in one group. */
  private static List<JobRequest> jobs(Trial trial, String... commands) {
    List<JobRequest> jobs =
        trial.traits().has(Trait.MULTI_NODE)
            ? List.of(trial.jobs().member(commands), trial.jobs().member(commands))
            : List.of(trial.jobs().member(commands));
    if (trial.compute().runtime().isPresent()) {
      jobs.forEach(job -> trial.jobs().keepInMind(job.attemptId()));
    }
    return jobs;
  }

  private static void starts(Trial trial) {
    List<JobRequest> jobs = jobs(trial, "echo together", "exit 2");
    Found group = trial.things().create(trial.things().group(trial.key(), trial.place(), jobs));
    Found shown =
        trial.await(
            trial.limits().ready(),
            "describe() did not show as many members as the group has jobs",
            () ->
                trial
                    .things()
                    .provisioner()
                    .describe(group.ref())
                    .filter(found -> found.members().size() == jobs.size()));
    Expect.that(
        shown.members().stream().distinct().count() == jobs.size(),
        "describe() shows one member of a group twice");
    if (trial.compute().runtime().isPresent()) {
      for (JobRequest job : jobs) {
        Expect.same(
            2, trial.jobs().awaitEnd(job.attemptId()).code(), "the exit code of a group's job");
      }
    }
  }

  private static void deletes(Trial trial) {
    List<JobRequest> jobs = jobs(trial, "sleep 3600");
    Found group = trial.things().create(trial.things().group(trial.key(), trial.place(), jobs));
    if (trial.compute().runtime().isPresent()) {
      jobs.forEach(job -> trial.jobs().awaitRunning(job.attemptId()));
    }
    trial.things().deletePatiently(group.ref());
    trial.things().awaitGone(group.ref());
    if (trial.compute().runtime().isPresent()) {
      for (JobRequest job : jobs) {
        trial.await(
            trial.limits().gone(),
            "a group was deleted, and a job of it still runs",
            () ->
                switch (trial.jobs().observe(job.attemptId())) {
                  case JobObservation.Exited _, JobObservation.Absent _ -> Optional.of(true);
                  case JobObservation.Prepared _, JobObservation.Running _, JobObservation.Lost _ ->
                      Optional.<Boolean>empty();
                });
      }
    }
  }

  private static void whole(Trial trial) {
    List<JobRequest> good = jobs(trial, "sleep 3600");
    JobRequest impossible =
        trial
            .jobs()
            .member("echo never")
            .in(
                Container.of(trial.subject().image())
                    .withEntrypoint("x".repeat(Container.LONGEST_ENTRYPOINT + 1)));
    CreateRequest.Group group =
        trial.things().group(trial.key(), trial.place(), List.of(good.getFirst(), impossible));
    Expect.thrown(
        () -> trial.things().create(group),
        "create() of a group with a job that cannot be",
        BackendException.Permanent.class);
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        trial.things().keyed(trial.owner(), group.key()).isEmpty(),
        "a group that was refused is there all the same");
    if (trial.compute().runtime().isPresent()) {
      Expect.that(
          trial.jobs().observe(good.getFirst().attemptId()) instanceof JobObservation.Absent,
          "a group was refused, and one of its jobs was started all the same");
    }
  }

  private static void refused(Trial trial) {
    if (trial.compute().provisioner().isEmpty()) {
      return;
    }
    List<JobRequest> jobs = List.of(trial.jobs().member("echo never"));
    Refusals.ofThing(
        trial, trial.things().group(trial.key(), trial.place(), jobs), "a group", Trait.GROUPS);
  }
}
