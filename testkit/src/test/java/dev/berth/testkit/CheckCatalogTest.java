package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.Trait;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the checks cover, all together. */
class CheckCatalogTest {
  private static final List<String> NAMES = Conformance.checks().stream().map(Check::name).toList();

  @Test
  void namesAreUniqueAndSentencesEnd() {
    assertThat(NAMES).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(50);
    assertThat(Conformance.checks())
        .allSatisfy(check -> assertThat(check.sentence()).endsWith(".").contains(" "));
  }

  @Test
  void everyAreaHasChecksInOrder() {
    assertThat(Conformance.checks()).extracting(Check::area).isSorted();
    assertThat(Conformance.checks()).extracting(Check::area).contains(Area.values());
  }

  @ParameterizedTest
  @EnumSource(Trait.class)
  void everyTraitIsUsedByACheckAndItsRefusalIsSeenByAnother(Trait trait) {
    assertThat(Conformance.checks()).anyMatch(check -> check.uses() == trait);
    assertThat(Conformance.checks()).anyMatch(check -> check.refuses() == trait);
  }

  static Stream<Promises.Row> promises() {
    return Promises.ROWS.stream();
  }

  @ParameterizedTest
  @MethodSource("promises")
  void everyMethodOfTheOthersIsMetByChecks(Promises.Row row) {
    assertThat(row.uses()).isNotEmpty();
    assertThat(NAMES).containsAll(row.uses()).containsAll(row.refusals());
  }
}
