package dev.berth.simulation;

import dev.berth.model.Action;
import dev.berth.model.JobRequest;
import dev.berth.model.Operation;
import java.util.function.UnaryOperator;

/** Berth with one thing broken, each of which the simulation must find. */
enum Broken {
  NEVER_KILLS_AFTER_A_LOST_START(
      Variant.REAL.with(new BrokenRules.NeverKillsAfterALostStart()), 1640),
  BELIEVES_FAILED_KILLS(Variant.REAL.with(new BrokenRules.BelievesFailedKills())),
  RELEASES_TOO_EARLY(Variant.REAL.with(new BrokenRules.ReleasesTooEarly())),
  OVERBOOKS(Variant.REAL.with(new BrokenRules.Overbooks())),
  OVERBOOKS_BOUGHT_MACHINES(Variant.REAL.with(new BrokenLines.OverbooksBoughtMachines())),
  TURNS_THE_LINE_ROUND(Variant.REAL.with(new BrokenLines.TurnsTheLineRound())),
  CHARGES_FOR_WHOLE_MACHINES(Variant.REAL.with(new BrokenLines.ChargesForWholeMachines())),
  LETS_GANGS_RUN_ON(Variant.REAL.with(new BrokenLines.LetsGangsRunOn())),
  PLACES_PARTS_OF_GANGS(Variant.REAL.with(new BrokenLines.PlacesPartsOfGangs())),
  OVERLAPS_EXECUTIONS(Variant.REAL.with(new BrokenLines.OverlapsExecutions())),
  ENDS_TWICE(Variant.REAL.with(new BrokenRules.EndsTwice())),
  IGNORES_INTERRUPTIONS(Variant.REAL.with(new BrokenRules.IgnoresInterruptions())),
  ENDS_BEFORE_THE_JOB_DOES(Variant.REAL.with(new BrokenRules.EndsBeforeTheJobDoes())),
  WAITS_FOR_SILENT_CALLS(Variant.REAL.with(new BrokenRules.WaitsForSilentCalls())),
  FORGETS_KEYS(Variant.REAL.with((_, ledger) -> new BrokenLedgers.ForgetsKeys(ledger))),
  SKIPS_THE_FENCE(Variant.REAL.with((_, ledger) -> new BrokenLedgers.SkipsTheFence(ledger))),
  FORGETS_WHAT_WAS_UNDER_WAY(
      Variant.REAL.with((_, ledger) -> new BrokenLedgers.ForgetsWhatWasUnderWay(ledger))),
  STARTS_BEFORE_THE_COMMIT(Variant.REAL.with(BrokenLedgers.StartsBeforeTheCommit::new)),
  REUSES_THE_KEY_OF_THE_FIRST_TRY(Variant.REAL.with((UnaryOperator<Action>) Broken::firstKey), 430),
  USES_MACHINES_BEFORE_IT_CONNECTS(
      Variant.REAL.with(new BrokenMachines.UsesMachinesBeforeItConnects())),
  LOSES_MACHINES_OF_JOBS(
      Variant.REAL.with((UnaryOperator<Action>) BrokenMachines::withoutMachine), 1870),
  LEAVES_JOBS_ON_MACHINES(Variant.REAL.with(new BrokenMachines.LeavesJobsOnMachines()), 550),
  BELIEVES_ACCEPTED_DELETES(Variant.REAL.with(new BrokenMachines.BelievesAcceptedDeletes())),
  TAKES_WHAT_IS_NOT_SHOWN_FOR_GONE(Variant.REAL.seeing(HastyCompute::new)),
  DELETES_WHAT_WAS_REFUSED(Variant.REAL.with(new BrokenAnswers.DeletesWhatWasRefused())),
  TAKES_REFUSALS_FOR_INTERRUPTIONS(
      Variant.REAL.with(new BrokenAnswers.TakesRefusalsForInterruptions())),
  IGNORES_NOTICES(Variant.REAL.with(new BrokenAnswers.IgnoresNotices())),
  USES_MACHINES_THAT_ARE_AWAY(Variant.REAL.with(new BrokenAnswers.UsesMachinesThatAreAway())),
  NEVER_RELEASES(Variant.REAL.with(new BrokenAnswers.NeverReleases()), 7),
  NEVER_DELETES_AGAIN(Variant.REAL.with(new BrokenAnswers.NeverDeletesAgain()), 6);

  private final Variant variant;
  private final long firstSeed;

  Broken(Variant variant) {
    this(variant, 1);
  }

  /**
   * One that few seeds find.
   *
   * @param firstSeed shortly before one that does, so that no build looks for it for minutes
   */
  Broken(Variant variant, long firstSeed) {
    this.variant = variant;
    this.firstSeed = firstSeed;
  }

  /** Where the search begins. */
  long firstSeed() {
    return firstSeed;
  }

  Variant variant() {
    return variant;
  }

  private static Action firstKey(Action action) {
    String first = action.resourceId().replaceFirst("-[0-9]+$", "-1");
    return new Action(
        action.id(),
        action.operation() instanceof Operation.StartJob start
            ? new Operation.StartJob(under(first, start.request()))
            : action.operation(),
        first,
        action.backend(),
        action.state(),
        action.attempts(),
        action.due(),
        action.deadline(),
        null);
  }

  private static JobRequest under(String key, JobRequest job) {
    JobRequest same = new JobRequest(key, job.spec(), job.share(), job.place(), job.container());
    return job.place() == null || job.offer() == null
        ? same
        : same.buying(job.place(), job.offer());
  }
}
