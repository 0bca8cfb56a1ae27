package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ports of this machine lead to a job. */
class ForwardedPortTest {
  private static final Map<String, List<Map<String, @Nullable Object>>> WRITTEN =
      Map.of("ports", List.of(port(8080, 8080), port(9090, 80), port(null, 22)));

  private static Map<String, @Nullable Object> port(@Nullable Integer local, int job) {
    Map<String, @Nullable Object> port = new HashMap<>();
    port.put("local", local);
    port.put("container", job);
    return port;
  }

  @Test
  void allOfAFileAreForwardedFromElsewhere() {
    assertThat(ForwardedPort.of(WRITTEN, List.of(), false))
        .containsExactly(
            new ForwardedPort(8080, 8080), new ForwardedPort(9090, 80), new ForwardedPort(0, 22));
  }

  @Test
  void portsThatJobsHaveHereAreLeftToThem() {
    assertThat(ForwardedPort.of(WRITTEN, List.of(), true))
        .containsExactly(new ForwardedPort(0, 22));
  }

  @Test
  void theCommandLineWins() {
    ForwardedPort given = ForwardedPort.parse("7070:8080");
    assertThat(ForwardedPort.of(WRITTEN, List.of(given), true))
        .containsExactly(new ForwardedPort(7070, 8080), new ForwardedPort(0, 22));
    assertThat(ForwardedPort.of(WRITTEN, List.of(given), false))
        .containsExactly(
            new ForwardedPort(7070, 8080), new ForwardedPort(9090, 80), new ForwardedPort(0, 22));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "70000", "a", "1:", ":1", "0:80", "1:2:3", "-1", "*"})
  void othersAreRefused(String text) {
    assertThatThrownBy(() -> ForwardedPort.parse(text)).hasMessageContaining("is not a port");
  }
}
