package dev.berth.simulation.invariants;

import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.simulation.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All nodes of a replica have a place or none has, and where one of them failed the others do not
 * run on.
 */
final class GangsStandTogether implements Invariant {
  /**
   * How long others may run on after one failed: they have their time to stop, at most a minute
   * here, and what does not stop in order is killed a few times.
   */
  static final Duration WITHIN = Duration.ofMinutes(5);

  /** Since when each attempt has run though another one of its replica failed. */
  private final Map<String, Instant> alone = new HashMap<>();

  @Override
  public String name() {
    return "the nodes of a replica stand together";
  }

  @Override
  public void check(World world) {
    Set<String> still = new HashSet<>();
    world
        .records()
        .all(Placement.class)
        .filter(placement -> placement.active() && placement.members().size() > 1)
        .forEach(placement -> check(world, placement, still));
    if (world.isServed()) {
      alone.keySet().retainAll(still);
    } else {
      alone.clear();
    }
  }

  private void check(World world, Placement placement, Set<String> still) {
    List<Attempt> members =
        placement.members().stream()
            .flatMap(id -> world.records().find(Attempt.class, Entity.Kind.ATTEMPT, id).stream())
            .toList();
    long waiting = members.stream().filter(one -> one.status() == JobStatus.SUBMITTED).count();
    if (waiting > 0 && waiting < members.size()) {
      violated(world, placement.id() + " has places for some of its nodes: " + words(members));
    }
    if (members.stream().noneMatch(GangsStandTogether::hasFailed)) {
      return;
    }
    for (Attempt member : members) {
      if (member.status() == JobStatus.RUNNING) {
        still.add(member.id());
        Instant since = alone.computeIfAbsent(member.id(), _ -> world.now());
        if (since.plus(WITHIN).isBefore(world.now())) {
          violated(world, placement.id() + " runs on without one that failed: " + words(members));
        }
      }
    }
  }

  private static boolean hasFailed(Attempt attempt) {
    return !attempt.active() && attempt.reason() != JobReason.DONE_BY_RUNNER;
  }

  private static List<String> words(List<Attempt> members) {
    return members.stream().map(member -> member.id() + " " + member.state()).toList();
  }
}
