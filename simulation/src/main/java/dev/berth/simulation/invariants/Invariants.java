package dev.berth.simulation.invariants;

import java.util.List;

/** All invariants. A new one is added here, and nowhere else. */
public final class Invariants {
  private Invariants() {}

  /** A fresh one of each, for one life. */
  public static List<Invariant> all() {
    return List.of(
        new OwnedIsRecorded(),
        new OneForEachKey(),
        new RunningIsThere(),
        new EndsAreFinal(),
        new CostIsTimeTimesPrice(),
        new AcceptedIsKept(),
        new OldEpochsAreSilent(),
        new PlacesAreNotOverfull(),
        new OthersAreLeftAlone(),
        new GangsStandTogether(),
        new ExecutionsDoNotOverlap(),
        new TheLineIsKept(),
        new GoneIsGone(),
        new NothingBillsAfterItsEnd(),
        new NoticesAreHeeded(),
        new RefusedIsNoError(),
        new AwayIsUnused(),
        new JobsAreWhereTheyCanRun(),
        new NothingIsLeft());
  }
}
