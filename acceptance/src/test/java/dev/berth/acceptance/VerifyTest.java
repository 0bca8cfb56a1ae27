package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code berth backend verify}, with a backend that costs nothing. */
class VerifyTest {
  private TestHome home;

  @BeforeEach
  void open() {
    home = TestHome.fresh();
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void theMachineItselfKeepsTheContract() {
    FinishedCommand finished = home.berth("backend", "verify", "local").expect(0);
    assertThat(finished.out())
        .containsPattern("passed +config +type-has-a-name\n")
        .contains("\nlocal keeps the contract: ");
  }

  @Test
  void theReportIsJsonForPrograms() {
    JsonNode report = home.berth("backend", "verify", "local", "--json").json();
    assertThat(report.get("type").asString()).isEqualTo("local");
    assertThat(report.get("passed").asBoolean()).isTrue();
    assertThat(report.get("results").size()).isGreaterThanOrEqualTo(50);
    assertThat(report.get("unclean").isEmpty()).isTrue();
  }

  @Test
  void settingsThatAreNotKnownAreShownWithTheirPlace() {
    home.file("settings.yml", "nonsense: 1\n");
    FinishedCommand finished =
        home.berth("backend", "verify", "local", "-f", "settings.yml").expect(65);
    assertThat(finished.err()).contains("settings.yml:1:1: 'nonsense' is not a known setting");
  }
}
