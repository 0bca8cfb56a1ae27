package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
  private int number;

  @TestFactory
  Stream<DynamicTest> isCaughtByItsCheckAndOnlyThenFails() {
    List<Variant> variants = Variants.all();
    return Conformance.checks().stream()
        .map(
            check ->
                DynamicTest.dynamicTest(
                    check.name(),
                    () -> {
                      List<Variant> broken =
                          variants.stream()
                              .filter(variant -> variant.check().equals(check.name()))
                              .toList();
                      assertThat(broken)
                          .as("broken variants of which it catches each")
                          .isNotEmpty();
                      for (Variant variant : broken) {
                        isCaught(check, variant);
                      }
                    }));
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

  private Outcome outcome(Check check, Setup setup, String folder) {
    Path data = directory.resolve(check.name() + "-" + ++number).resolve(folder);
    try (Setup.Running running = setup.start(data);
        Conformance run = Conformance.open(running.subject())) {
      return run.run(check).outcome();
    }
  }
}
