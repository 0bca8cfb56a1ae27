package dev.berth.server.traces;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @Test
  void whatIsWrittenIsReadAgain() {
    String text = "00-" + TRACE + "-" + SPAN + "-01";
    TraceContext read = TraceContext.read(text).orElseThrow();
    assertThat(read).isEqualTo(new TraceContext(TRACE, SPAN, true));
    assertThat(read.text()).isEqualTo(text);
    assertThat(TraceContext.read("00-" + TRACE + "-" + SPAN + "-02").orElseThrow().sampled())
        .isFalse();
  }

  @Test
  void aVersionToComeMaySayMore() {
    assertThat(TraceContext.read("cc-" + TRACE + "-" + SPAN + "-01-what-will-be")).isPresent();
    assertThat(TraceContext.read("00-" + TRACE + "-" + SPAN + "-01-what-will-be")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 ",
      })
  void anythingElseCountsAsNone(String text) {
    assertThat(TraceContext.read(text)).isEmpty();
    assertThat(TraceContext.read(null)).isEmpty();
  }

  @Test
  void idsFollowFromWhatTheyAreAbout() {
    assertThat(TraceContext.traceIdOf("a/r1")).isEqualTo(TraceContext.traceIdOf("a/r1"));
    assertThat(TraceContext.traceIdOf("a/r1")).isNotEqualTo(TraceContext.traceIdOf("b/r1"));
    assertThat(TraceContext.spanIdOf("a/r1")).hasSize(16);
  }
}
