package dev.berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulation.plan.Choice;
import dev.berth.simulation.plan.Generator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many lives, in which everything goes wrong and all ends well. */
final class SeedsTest {
  private static final int IN_MEMORY = 500;
  private static final int ON_SQLITE = 20;

  /** Each round of a soak stands for so many seeds. */
  private static final int IN_MEMORY_A_ROUND = 100;

  private static final int ON_SQLITE_A_ROUND = 2;

  @BeforeAll
  static void silence() {
    SilentLogs.begin();
  }

  @Test
  void everyLifeEndsWell() {
    assertWell(Seeds.today(), count(IN_MEMORY, IN_MEMORY_A_ROUND));
  }

  @Test
  void everyLifeEndsWellOnSqlite() {
    assertWell(Seeds.today().on(Storage.SQLITE), count(ON_SQLITE, ON_SQLITE_A_ROUND));
  }

  private static void assertWell(Seeds seeds, int count) {
    Optional<Outcome> violated = seeds.firstViolation(1, count, _ -> {});
    assertThat(violated.map(Outcome::report)).isEmpty();
  }

  /** The count of an ordinary build, or that of a soak. */
  private static int count(int usual, int aRound) {
    String soak = System.getProperty("berth.soak", "").strip();
    return soak.isEmpty() ? usual : Math.multiplyExact(Integer.parseInt(soak), aRound);
  }

  static List<KeptSeeds.Kept> keptSeeds() {
    return KeptSeeds.all();
  }

  @ParameterizedTest
  @MethodSource("keptSeeds")
  void whatOnceFoundSomethingEndsWell(KeptSeeds.Kept kept) {
    Set<Choice> choices = EnumSet.copyOf(Choice.today());
    // Seeds from before there were these choices are lived as they were; others name them.
    choices.removeAll(Choice.SINCE_FIRST_KEPT_SEEDS);
    choices.addAll(kept.more());
    Outcome outcome = Seeds.today().of(new Generator(choices, 2)).live(kept.seed());
    assertThat(outcome.violation()).as(outcome.report()).isNull();
  }

  @Test
  void theSameSeedGoesTheSameWay() {
    for (long seed = 1; seed <= 10; seed++) {
      Outcome first = Seeds.today().live(seed);
      Outcome second = Seeds.today().live(seed);
      assertThat(second.traceHash()).isEqualTo(first.traceHash());
      assertThat(second.steps()).isEqualTo(first.steps()).isPositive();
      assertThat(Seeds.today().on(Storage.SQLITE).live(seed).traceHash())
          .as("where the ledger is makes no difference")
          .isEqualTo(first.traceHash());
      assertThat(Seeds.today().live(seed + 1).traceHash()).isNotEqualTo(first.traceHash());
    }
  }

  @Test
  void oneServerAloneIsTakenOverByNobody() {
    Seeds alone = Seeds.today().of(new Generator(Choice.today(), 1));
    assertWell(alone, 20);
  }
}
