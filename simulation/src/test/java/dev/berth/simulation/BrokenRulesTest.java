package dev.berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that finds nothing is worth nothing, so things are broken on purpose. */
final class BrokenRulesTest {
  private static final int WITHIN = 2_000;

  @BeforeAll
  static void silence() {
    SilentLogs.begin();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsBrokenIsFound(Broken broken, TestReporter reporter) {
    Optional<Outcome> violated =
        Seeds.today().with(broken.variant()).firstViolation(broken.firstSeed(), WITHIN, _ -> {});
    assertThat(violated).as("found within %d seeds", WITHIN).isPresent();
    Outcome outcome = violated.orElseThrow();
    reporter.publishEntry(
        broken.name(), "seed %d: %s".formatted(outcome.plan().seed(), outcome.invariant()));
  }
}
