package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.control.FailPoint;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Rounds of twenty jobs each under servers that die, wherever these jobs run. */
@Order(2)
class CrashTest {
  /** A round may end before each point was met; then another one is played. */
  private static final int ENOUGH_ROUNDS = 3;

  @Test
  void noJobIsLostDoubledOrSpoilt() {
    play("on the server's machine", Soak.rounds(1), (_, _) -> CrashPlace.LOCAL);
  }

  @Test
  void noMachineIsLeakedDoubledOrKeptWhereBerthRunsTheJobs() {
    play("on machines", Soak.rounds(1), CrashMachines::inRound);
  }

  private static void play(String where, int rounds, CrashPlace.Maker places) {
    Map<FailPoint, Integer> hits = new EnumMap<>(FailPoint.class);
    long seed = new SplittableRandom().nextLong();
    System.out.println("CrashTest " + where + ", seed " + seed);
    SplittableRandom seeds = new SplittableRandom(seed);
    int round = 0;
    for (; round < rounds || (round < ENOUGH_ROUNDS && !everyPointWasHit(hits)); round++) {
      CrashPlace place = places.at(seed, round);
      try (TestHome home = TestHome.fresh();
          CrashingServer server = new CrashingServer(home, hits)) {
        new CrashRound(home, server, place, seeds.split()).play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "round %d %s of seed %d, %s".formatted(round, where, seed, place), e);
      }
    }
    System.out.printf("CrashTest %s: %d rounds, servers killed: %s%n", where, round, hits);
    assertThat(hits.keySet()).as("points that were hit").containsExactly(FailPoint.values());
  }

  private static boolean everyPointWasHit(Map<FailPoint, Integer> hits) {
    return hits.size() == FailPoint.values().length;
  }
}
