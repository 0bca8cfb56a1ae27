package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code build/test-totals} tells of reports, which are made up here. */
class TestTotalsTest {
  private static final String PASSED = suite("tests=\"2\" errors=\"0\" skipped=\"0\"", 0, "");

  /** As Surefire writes it: the second run of two tests passed, and that of a third failed too. */
  private static final String FLAKED =
      """
        <testcase name="pulls" classname="dev.berth.PodmanTest" time="0.003">
          <flakyFailure message="first &quot;time&quot; &lt;x&gt; fails" type="AssertionFailedError">
            <stackTrace><![CDATA[AssertionFailedError: first "time" <x> fails
      ]]></stackTrace>
          </flakyFailure>
        </testcase>
        <testcase name="checks()[2]" classname="dev.berth.PodmanTest" time="0.007">
          <flakyError message="boom" type="java.lang.IllegalStateException">
            <stackTrace><![CDATA[java.lang.IllegalStateException: boom
      ]]></stackTrace>
          </flakyError>
        </testcase>
        <testcase name="passes" classname="dev.berth.PodmanTest" time="0.004"/>
      """;

  private static final String FAILED_TWICE =
      """
        <testcase name="stops" classname="dev.berth.PodmanTest" time="0.19">
          <failure message="always" type="AssertionFailedError"><![CDATA[always]]></failure>
          <rerunFailure message="always" type="AssertionFailedError">
            <stackTrace><![CDATA[always]]></stackTrace>
          </rerunFailure>
        </testcase>
      """;

  private static final String SET_UP_FLAKED =
      """
        <testcase name="" classname="dev.berth.DockerTest" time="0.054">
          <flakyError message="no engine" type="java.lang.IllegalStateException">
            <stackTrace><![CDATA[java.lang.IllegalStateException: no engine]]></stackTrace>
          </flakyError>
        </testcase>
      """;

  private static final String SKIPPED =
      """
        <testcase name="asks" classname="dev.berth.DockerTest" time="0.0">
          <skipped type="TestAbortedException"><![CDATA[Assumption failed: docker is not here
      ]]></skipped>
        </testcase>
      """;

  @TempDir Path folder;
  private Path script;

  private static String suite(String counts, int failures, String cases) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"x\" time=\"0.1\" %s failures=\"%d\">\n%s</testsuite>\n"
        .formatted(counts, failures, cases);
  }

  @BeforeEach
  void copyTheScript() throws IOException {
    script = Files.createDirectory(folder.resolve("build")).resolve("test-totals");
    Files.copy(Distribution.root().resolve("build/test-totals"), script);
  }

  private void report(String place, String text) throws IOException {
    Path file = folder.resolve(place);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private FinishedCommand totals(String required) {
    return RunningCommand.start(
            List.of("sh", script.toString()), Map.of("BERTH_REQUIRE", required), folder, folder)
        .await();
  }

  @Test
  void whatPassedWhenItWasRunOnceMoreIsNamedAndCountsAsPassed() throws IOException {
    report("a/target/surefire-reports/TEST-a.xml", PASSED);
    report(
        "b/c/target/surefire-reports/engines/TEST-b.xml",
        suite("tests=\"3\" errors=\"0\" skipped=\"0\"", 0, FLAKED));
    report(
        "b/c/target/surefire-reports/engines/TEST-c.xml",
        suite("tests=\"1\" errors=\"0\" skipped=\"0\"", 0, SET_UP_FLAKED));
    assertThat(totals("").expect(0).out().lines())
        .containsExactlyInAnyOrder(
            "flaked: PodmanTest.pulls",
            "flaked: PodmanTest.checks()[2]",
            "flaked: DockerTest",
            "6 passed, 0 failed, 0 skipped");
  }

  @Test
  void whatFailedTwiceHasFailed() throws IOException {
    report(
        "b/target/surefire-reports/engines/TEST-b.xml",
        suite("tests=\"4\" errors=\"0\" skipped=\"0\"", 1, FLAKED + FAILED_TWICE));
    assertThat(totals("").expect(1).out())
        .contains("flaked: PodmanTest.pulls\n")
        .doesNotContain("PodmanTest.stops")
        .endsWith("3 passed, 1 failed, 0 skipped\n");
  }

  @Test
  void theReasonOfASkipIsToldAndThatOfARequiredEngineFails() throws IOException {
    report("a/target/surefire-reports/TEST-a.xml", PASSED);
    report(
        "b/target/surefire-reports/TEST-b.xml",
        suite("tests=\"1\" errors=\"0\" skipped=\"1\"", 0, SKIPPED));
    assertThat(totals("podman").expect(0).out())
        .isEqualTo("skipped 1: docker is not here\n2 passed, 0 failed, 1 skipped\n");
    assertThat(totals("docker podman").expect(1).out())
        .contains("a test of the required engine docker was skipped\n");
  }

  @Test
  void checksThatDoNotApplyToABackendAreNoMissingEngines() throws IOException {
    report("a/target/surefire-reports/TEST-a.xml", PASSED);
    report(
        "b/target/surefire-reports/TEST-b.xml",
        suite(
            "tests=\"1\" errors=\"0\" skipped=\"1\"",
            0,
            SKIPPED.replace(
                "Assumption failed: docker is not here",
                "not applicable: volumes-refused: docker has no volumes")));
    assertThat(totals("docker").expect(0).out())
        .isEqualTo(
            """
            skipped 1: checks of the conformance kit for what a backend does not have
            2 passed, 0 failed, 1 skipped
            """);
  }

  @Test
  void noReportAtAllIsAFailure() {
    assertThat(totals("").expect(1).out()).isEqualTo("0 passed, 0 failed, 0 skipped\n");
  }
}
