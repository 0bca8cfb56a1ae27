package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The rows of one table of states that users of dstack know: each is checked, or says why it is not
 * here.
 */
final class DstackTable {
  private final List<String> rows;
  private final List<String> told = new ArrayList<>();
  private final List<DynamicTest> tests = new ArrayList<>();

  /** A table with all rows that the reference has, by short names. */
  DstackTable(String... rows) {
    this.rows = List.of(rows);
  }

  /** A row that is kept, with what shows it. */
  DstackTable row(String name, Runnable check) {
    told.add(name);
    tests.add(DynamicTest.dynamicTest(name, check::run));
    return this;
  }

  /** A row that is different on purpose, with the reason and what shows the difference. */
  DstackTable different(String name, String reason, Runnable check) {
    told.add(name);
    assertThat(reason).isNotBlank();
    tests.add(DynamicTest.dynamicTest(name + " (different: " + reason + ")", check::run));
    return this;
  }

  /** A row about something that Berth does not have, or not yet. */
  DstackTable absent(String name, String reason) {
    told.add(name);
    assertThat(reason).isNotBlank();
    return this;
  }

  /** All checks, and one that no row was forgotten. */
  Stream<DynamicTest> tests() {
    return Stream.concat(
        tests.stream(),
        Stream.of(
            DynamicTest.dynamicTest(
                "no row is forgotten",
                () -> assertThat(told).containsExactlyInAnyOrderElementsOf(rows))));
  }
}
