package dev.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page that describes the contract lists what the kit holds. */
class ContractPageTest {
  private static String page() throws IOException {
    return Files.readString(
        Path.of(Objects.requireNonNull(System.getProperty("berth.root")))
            .resolve("docs/backends/contract.md"));
  }

  private static String marked(List<String> checks) {
    return checks.isEmpty()
        ? "none: every backend has it"
        : checks.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
  }

  @Test
  void everyMethodOfTheOthersHasItsRow() throws IOException {
    assertThat(page())
        .contains(
            Promises.ROWS.stream()
                .map(
                    row ->
                        "| %s | %s | %s | %s |\n"
                            .formatted(
                                row.theirs(),
                                row.ours(),
                                marked(row.uses()),
                                marked(row.refusals())))
                .collect(Collectors.joining()));
  }

  @Test
  void everyCheckHasItsRow() throws IOException {
    assertThat(page())
        .contains(
            Conformance.checks().stream()
                .map(
                    check ->
                        "| %s | `%s` | %s |\n"
                            .formatted(
                                check.area().name().toLowerCase(Locale.ROOT),
                                check.name(),
                                check.sentence()))
                .collect(Collectors.joining()));
  }
}
