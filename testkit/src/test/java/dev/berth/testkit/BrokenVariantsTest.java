package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.testkit.broken.Variant;
import dev.berth.testkit.broken.Variants;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each check catches a backend of which the one thing is broken that it looks at. */
class BrokenVariantsTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> isCaughtByItsCheckAndOnlyThenFails() {
    List<Variant> variants = Variants.all();
    return Conformance.checks().stream()
        .map(
            check ->
                DynamicTest.dynamicTest(
                    check.name(),
                    () ->
                        variants.stream()
                            .filter(variant -> variant.check().equals(check.name()))
                            .findFirst()
                            .ifPresentOrElse(
                                variant -> isCaught(check, variant),
                                () -> fail("no broken variant is caught by " + check.name()))));
  }

  @Test
  void eachVariantNamesACheck() {
    assertThat(Conformance.checks())
        .extracting(Check::name)
        .containsAll(Variants.all().stream().map(Variant::check).toList());
  }

  private void isCaught(Check check, Variant variant) {
    assertThat(outcome(check, variant.sound(), "sound"))
        .as("without the fault")
        .isInstanceOfAny(Outcome.Passed.class, Outcome.Refused.class);
    assertThat(outcome(check, variant.broken(), "broken"))
        .as("with the fault")
        .isInstanceOf(Outcome.Failed.class);
  }

  private Outcome outcome(Check check, SimSetup setup, String folder) {
    Subject subject = setup.subject(directory.resolve(check.name()).resolve(folder));
    try (Conformance run = Conformance.open(subject)) {
      return run.run(check).outcome();
    }
  }
}
