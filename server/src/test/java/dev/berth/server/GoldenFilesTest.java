package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What golden files notice, and what placeholders let pass. */
class GoldenFilesTest {
  private static String named(Placeholders placeholders, String json) {
    return placeholders.in("", GoldenFiles.parse(json.getBytes(StandardCharsets.UTF_8))).toString();
  }

  @Test
  void whatIsMissingTooMuchOrDifferentIsTold() {
    assertThat(
            GoldenFiles.differences(
                new TreeMap<>(Map.of("a", "1\n", "b", "1\n2\n3\n", "c", "same\n")),
                new TreeMap<>(Map.of("b", "1\n0\n3\n", "c", "same\n", "d", "1\n"))))
        .containsExactly(
            "a is missing: a route has no golden file",
            "--- b\n+++ b (now)\n@@ -1,3 +1,3 @@\n 1\n-0\n+2\n 3",
            "d is too much: there is no such route");
  }

  @Test
  void theSameIdIsTheSameWordAndAnotherOneIsNot() {
    Placeholders placeholders = new Placeholders();
    assertThat(
            named(
                placeholders,
                """
                {"id": "r06gyhpx3sr00gm7j7c0", "of": ["r06gyhpx3sr00gm7j7c0-0-1"],
                 "by": "r06gyhpx3sr00gm7j7c1"}\
                """))
        .isEqualTo("{\"by\":\"<run 1>\",\"id\":\"<run 2>\",\"of\":[\"<run 2>-0-1\"]}");
  }

  @Test
  void aPlaceholderStandsOnlyForWhatItSays() {
    Placeholders placeholders = new Placeholders();
    assertThat(named(placeholders, "{\"at\": \"2026-01-02T03:04:05.6Z\", \"pid\": 7}"))
        .isEqualTo("{\"at\":\"<instant>\",\"pid\":\"<number>\"}");
    assertThat(named(placeholders, "{\"finished_at\": null}")).isEqualTo("{\"finished_at\":null}");
    assertThatThrownBy(() -> named(placeholders, "{\"at\": 1767323045}"))
        .hasMessage("the field 'at' is no <instant>: 1767323045");
    assertThatThrownBy(() -> named(placeholders, "{\"seq\": \"7\"}"))
        .hasMessage("the field 'seq' is no <number>: \"7\"");
  }
}
