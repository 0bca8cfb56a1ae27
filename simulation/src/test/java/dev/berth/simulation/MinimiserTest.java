package dev.berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class MinimiserTest {
  @BeforeAll
  static void silence() {
    SilentLogs.begin();
  }

  @Test
  void whatIsNotNeededForTheViolationIsTakenOut() {
    Seeds seeds = Seeds.today().with(Broken.OVERBOOKS.variant());
    Outcome whole = seeds.firstViolation(1, 2_000, _ -> {}).orElseThrow();
    Outcome shortest = new Minimiser(seeds::live, 400).minimise(whole);
    assertThat(shortest.invariant()).isEqualTo(whole.invariant());
    assertThat(shortest.plan().size()).isLessThan(whole.plan().size());
    // Two runs at one time are what it takes.
    assertThat(shortest.plan().work()).hasSizeBetween(2, 4);
    assertThat(shortest.plan().troubles()).isEmpty();
    assertThat(seeds.live(shortest.plan()).traceHash()).isEqualTo(shortest.traceHash());
  }

  @Test
  void itStopsWhenItHasLivedEnough() {
    Seeds seeds = Seeds.today().with(Broken.OVERBOOKS.variant());
    Outcome whole = seeds.firstViolation(1, 2_000, _ -> {}).orElseThrow();
    int[] lives = {0};
    Outcome shortest =
        new Minimiser(
                plan -> {
                  lives[0]++;
                  return seeds.live(plan);
                },
                3)
            .minimise(whole);
    assertThat(lives[0]).isLessThanOrEqualTo(3);
    assertThat(shortest.invariant()).isEqualTo(whole.invariant());
  }
}
