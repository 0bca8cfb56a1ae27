package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.testkit.broken.Hosts;
import dev.berth.testkit.broken.NoEngine;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulated cloud keeps the contract in all its shapes. */
class SimConformanceTest {
  @TempDir Path directory;

  static Map<String, SimSetup> shapes() {
    return Stream.of("token", "unique_name", "lookup")
        .flatMap(
            identity ->
                Stream.of(
                    Map.entry(identity + " machines", SimSetup.machines().identity(identity)),
                    Map.entry(identity + " containers", SimSetup.containers().identity(identity))))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  static Stream<String> names() {
    return shapes().keySet().stream().sorted();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void keepsTheContract(String name) {
    Report report = passing(Objects.requireNonNull(shapes().get(name)));
    assertThat(report.counts()).containsKeys("passed", "refused-as-declared", "not-applicable");
  }

  @Test
  void machinesWithoutAllThatTheyCanDoWithoutRefuseIt() {
    allRefused(SimSetup.machines(), Traits.Base.MACHINES);
  }

  @Test
  void containersWithoutAnyTraitRefuseAll() {
    allRefused(SimSetup.containers(), Traits.Base.CONTAINERS);
  }

  @Test
  void machinesWithoutAnEngineOfTheirOwnHaveNoJobsToCheck() {
    Report report = passing(SimSetup.machines().wrapped(NoEngine::type));
    assertThat(report.results())
        .filteredOn(result -> result.check().area() == Area.LOGS)
        .allSatisfy(result -> assertThat(result.outcome()).isInstanceOf(Outcome.NotNeeded.class));
  }

  @Test
  void hostsThatAreThereByThemselvesKeepTheContract() {
    Report report = passing(SimSetup.containers().wrapped(Hosts::type));
    assertThat(report.results())
        .filteredOn(result -> result.check().area() == Area.DELETE)
        .allSatisfy(result -> assertThat(result.outcome()).isInstanceOf(Outcome.NotNeeded.class));
  }

  private void allRefused(SimSetup setup, Traits.Base base) {
    Set<Trait> removable = EnumSet.allOf(Trait.class);
    removable.removeAll(base.given());
    Report report = passing(setup.without(removable.toArray(Trait[]::new)));
    Set<Trait> refused =
        report.results().stream()
            .filter(result -> result.outcome() instanceof Outcome.Refused)
            .flatMap(result -> Stream.ofNullable(result.check().refuses()))
            .collect(Collectors.toSet());
    assertThat(refused).isEqualTo(removable);
  }

  private Report passing(SimSetup setup) {
    Report report = Conformance.run(setup.subject(directory), _ -> {});
    assertThat(
            report.failed().stream()
                .map(result -> result.check().name() + ": " + result.outcome().detail()))
        .isEmpty();
    assertThat(report.unclean()).isEmpty();
    return report;
  }
}
