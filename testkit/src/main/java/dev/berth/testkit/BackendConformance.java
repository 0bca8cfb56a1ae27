package dev.berth.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The kit as tests of JUnit Jupiter: a test for each check. A class that extends it names the
 * subject and needs nothing else.
 *
 * <p>A check that does not apply to the backend is skipped with its reason, so that it is not
 * counted as passed; only a promise that is broken fails.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BackendConformance {
  private final List<Result> failed = new ArrayList<>();
  private @Nullable Conformance conformance;

  /** The backend under test. Called once. */
  protected abstract Subject subject();

  /**
   * Told at the end of what is to be implemented or mended, if anything is. Tools that run tests
   * sort failures as they like; here they come in the order in which a backend is best written.
   */
  protected void toDo(List<Result> inOrder) {}

  @TestFactory
  Stream<DynamicNode> keepsTheContract() {
    Conformance run = Conformance.open(subject());
    conformance = run;
    return Stream.of(Area.values())
        .map(
            area ->
                DynamicContainer.dynamicContainer(
                    area.word(),
                    Conformance.checks().stream()
                        .filter(check -> check.area() == area)
                        .map(check -> test(run, check))));
  }

  /** The check runs before its test is made, so that the test's name can say how it ended. */
  private DynamicTest test(Conformance run, Check check) {
    Result result = run.run(check);
    if (result.isFailed()) {
      failed.add(result);
    }
    String name = check.name();
    return switch (result.outcome()) {
      case Outcome.Passed _ -> DynamicTest.dynamicTest(name, () -> {});
      case Outcome.Refused _ -> DynamicTest.dynamicTest(name + " (refused as declared)", () -> {});
      case Outcome.NotNeeded(String reason) ->
          DynamicTest.dynamicTest(
              name, () -> Assumptions.abort("not applicable: " + name + ": " + reason));
      case Outcome.Deviated(_, String reason) ->
          DynamicTest.dynamicTest(name + " (known deviation: " + reason + ")", () -> {});
      case Outcome.Failed(String message) ->
          DynamicTest.dynamicTest(
              name, () -> Assertions.fail(name + ": " + message + "\n" + check.sentence()));
    };
  }

  @AfterAll
  void leaveNothingBehind() {
    Conformance run = conformance;
    if (run != null) {
      run.close();
      if (!failed.isEmpty()) {
        toDo(List.copyOf(failed));
      }
      Assertions.assertEquals(List.of(), run.problems(), "could not be given back");
    }
  }
}
