package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grammar.ConfigurationReader.Defaults;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Holds the table of cases against the definitions: nothing can be added to the grammar without a
 * good and a bad case.
 */
final class EveryFieldAndRuleTest {
  private final FieldCases fields = new FieldCases();

  @Test
  void everyFieldOfEveryKindHasAGoodAndABadCase() {
    List<String> uncovered = new ArrayList<>();
    for (FieldPath path : FieldPath.all()) {
      List<FieldTable.Row> rows = fields.table().values(path.last());
      if (rows.stream().noneMatch(FieldTable.Row::isGood)) {
        uncovered.add("no good case: " + path);
      }
      if (rows.stream().allMatch(FieldTable.Row::isGood)) {
        uncovered.add("no bad case: " + path);
      }
    }
    assertThat(uncovered).isEmpty();
  }

  @Test
  void everyRuleHasAGoodAndABadCase() {
    Set<Rule> covered = EnumSet.noneOf(Rule.class);
    RuleCases.all().forEach(pair -> covered.add(pair.rule()));
    // The good cases of the same field stand right beside the bad one.
    fields.all().forEach(one -> one.expected().ifPresent(bad -> covered.add(bad.rule())));
    assertThat(EnumSet.complementOf(EnumSet.copyOf(covered))).isEmpty();
  }

  @Test
  void theTableNamesOnlyFieldsThatExist() {
    Set<String> existing = new TreeSet<>();
    for (FieldPath path : FieldPath.all()) {
      existing.add(path.last().inRecord());
      existing.add(path.last().inOwner());
    }
    for (Kind kind : Kind.values()) {
      existing.add(kind.shape().type().getSimpleName() + ".type");
    }
    assertThat(fields.table().fields()).allSatisfy(field -> assertThat(existing).contains(field));
  }

  @Test
  void everyGoodCaseIsAccepted() {
    List<String> refused = new ArrayList<>();
    AllCases.good()
        .forEach(
            good -> {
              ConfigurationFile file = ConfigurationReader.read(good.bytes(), Defaults.FILLED);
              if (!file.isValid()) {
                refused.add(good + ": " + file.errors());
              }
            });
    assertThat(refused).isEmpty();
  }

  @Test
  void everyBadCaseIsReportedOnceWithItsRuleAndPlace() {
    List<String> missed = new ArrayList<>();
    AllCases.stream()
        .forEach(
            bad ->
                bad.expected()
                    .ifPresent(
                        expected -> {
                          ConfigurationFile file =
                              ConfigurationReader.read(bad.bytes(), Defaults.FILLED);
                          List<Problem> found =
                              expected.isWarning() ? file.warnings() : file.errors();
                          boolean alone =
                              found.size() == 1 || expected.rule() == Rule.TOO_MANY_ERRORS;
                          if (!alone
                              || found.stream().filter(expected::isMetBy).count() != 1
                              || file.isValid() != expected.isWarning()) {
                            missed.add(bad + "\n  wanted " + expected + "\n  found " + found);
                          }
                        }));
    assertThat(missed).isEmpty();
  }

  @Test
  void goodCasesNextToAWarningAreNotWarnedAbout() {
    assertThat(RuleCases.all())
        .filteredOn(pair -> !pair.bad().isGood() && pair.bad().isAccepted())
        .isNotEmpty()
        .allSatisfy(
            pair ->
                assertThat(
                        ConfigurationReader.read(pair.good().bytes(), Defaults.FILLED).warnings())
                    .isEmpty());
  }
}
