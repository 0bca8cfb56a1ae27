package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.Deviation;
import dev.berth.testkit.broken.ForwardingType;
import dev.berth.testkit.broken.Unwritten;
import dev.berth.testkit.broken.Variant;
import dev.berth.testkit.broken.Variants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a run of the kit goes and what it reports. */
class ConformanceTest {
  private static final String CHECK = "delete-unknown-is-silent";
  private static final String MESSAGE =
      "delete() must be silent for what was never there; it threw Gone \"there is no such thing\"";

  @TempDir Path directory;

  @Test
  void aDeviationPassesOnlyWithItsExactMessage() {
    assertThat(deviating(broken(), MESSAGE))
        .isEqualTo(new Outcome.Deviated(MESSAGE, "the provider says 404"));
    assertThat(deviating(broken(), "delete() threw"))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.message()).contains("in another way", MESSAGE));
  }

  @Test
  void aTypeDeclaresItsDeviations() {
    Deviation declared = new Deviation(CHECK, MESSAGE, "the provider says 404");
    Subject subject =
        broken()
            .wrapped(
                type ->
                    new ForwardingType<>(type) {
                      @Override
                      public List<Deviation> deviations() {
                        return List.of(declared);
                      }
                    })
            .subject(directory);
    assertThat(outcome(subject)).isEqualTo(new Outcome.Deviated(MESSAGE, "the provider says 404"));
  }

  @Test
  void aDeviationThatIsNoneAnyMoreIsStale() {
    assertThat(deviating(SimSetup.machines(), MESSAGE))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.message()).contains("does not fail any more"));
  }

  @Test
  void whatIsNotWrittenYetIsListedInTheOrderToWriteIt() {
    Subject subject = SimSetup.machines().wrapped(Unwritten::type).subject(directory);
    Report report = Conformance.run(subject, _ -> {});
    assertThat(report.isPassed()).isFalse();
    assertThat(report.next().orElseThrow().check().name()).isEqualTo("offers-are-told");
    assertThat(report.next().orElseThrow().outcome().detail())
        .contains("offers() is not written yet", "Unwritten.offers");
    assertThat(report.failed()).extracting(result -> result.check().area()).isSorted();
  }

  @Test
  void whatCannotBeOpenedIsSaidByTheFirstCheckThatOpensIt() {
    SimSetup closed =
        SimSetup.machines()
            .wrapped(
                type ->
                    Variant.opened(
                        type,
                        _ -> {
                          throw new UnsupportedOperationException("open() is not written yet");
                        }));
    Report report = Conformance.run(closed.subject(directory), _ -> {});
    assertThat(report.next().orElseThrow().check().name()).isEqualTo("open-says-the-same-twice");
    assertThat(report.next().orElseThrow().outcome().detail())
        .contains("open() is not written yet");
  }

  @Test
  void whatTheSubjectDoesNotNameIsNotChecked() {
    Subject full = SimSetup.containers().subject(directory);
    Subject bare = Subject.of(full.type(), full.config()).at(full.environment());
    assertThat(Conformance.run(bare, _ -> {}).results())
        .noneMatch(Result::isFailed)
        .filteredOn(result -> result.outcome().detail().startsWith("the subject names no"))
        .extracting(result -> result.check().name())
        .containsExactly(
            "check-refuses-wrong-credentials",
            "create-out-of-a-reservation",
            "wrong-credentials-are-unauthorised",
            "secrets-not-in-errors");
  }

  @Test
  void aCheckThatFailsDoesNotSpoilTheNextOnes() {
    Report report = Conformance.run(broken().subject(directory), _ -> {});
    assertThat(report.failed())
        .extracting(result -> result.check().name())
        .containsExactlyInAnyOrder(CHECK, "delete-twice-is-silent", "nothing-to-do");
  }

  @Test
  void resultsAreToldAsTheyComeAndStandInTheTree() {
    List<Result> told = new ArrayList<>();
    Report report =
        Conformance.run(
            broken().subject(directory), check -> check.area() == Area.DELETE, told::add);
    assertThat(told).isEqualTo(report.results()).hasSize(6);
    Map<String, Object> tree = report.tree();
    assertThat(tree)
        .containsEntry("type", "sim")
        .containsEntry("passed", false)
        .containsEntry("counts", Map.of("passed", 3L, "failed", 2L, "not-applicable", 1L));
    assertThat(String.valueOf(tree.get("next")))
        .contains("delete-twice-is-silent", "sentence", "outcome=failed");
  }

  @Test
  void aCallThatNeverReturnsIsAFailureAndNotTheEnd() {
    Check hanging = Check.of(Area.ERRORS, "hangs", "It hangs.", _ -> new Semaphore(0).acquire());
    Subject subject =
        SimSetup.containers()
            .subject(directory)
            .within(
                new Limits(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMillis(50)));
    try (Conformance run = Conformance.open(subject)) {
      assertThat(run.run(hanging).outcome())
          .isEqualTo(
              new Outcome.Failed(
                  "a call did not return within 0.05 seconds: none may wait for minutes"));
    }
  }

  @Test
  void aFolderOfItsOwnIsGoneAfterTheRun() throws Exception {
    Subject given = SimSetup.containers().subject(directory);
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    List<Path> before = kitFolders(parent);
    Subject own =
        given.at(
            new Subject.Environment(
                null, given.environment().clock(), given.environment().patience()));
    assertThat(Conformance.run(own, check -> check.area() == Area.OFFERS, _ -> {}).unclean())
        .isEmpty();
    assertThat(kitFolders(parent)).isEqualTo(before);
  }

  private static List<Path> kitFolders(Path parent) throws Exception {
    try (var files = Files.list(parent)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("berth-kit"))
          .sorted()
          .toList();
    }
  }

  private static SimSetup broken() {
    return Variants.all().stream()
        .filter(variant -> variant.check().equals(CHECK))
        .map(Variant::broken)
        .map(SimSetup.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private Outcome deviating(SimSetup setup, String message) {
    Subject subject =
        setup
            .subject(directory)
            .deviating(List.of(new Deviation(CHECK, message, "the provider says 404")));
    return outcome(subject);
  }

  private static Outcome outcome(Subject subject) {
    return Conformance.run(subject, check -> check.name().equals(CHECK), _ -> {})
        .results()
        .getFirst()
        .outcome();
  }
}
