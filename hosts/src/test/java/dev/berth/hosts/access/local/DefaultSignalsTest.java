package dev.berth.hosts.access.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The signals that a process ignores, as the kernel tells of them. */
final class DefaultSignalsTest {
  @Test
  void signalsHaveNames() {
    assertThat(DefaultSignals.names(0)).isEmpty();
    assertThat(DefaultSignals.names(0b1000_0000_0000_0111))
        .containsExactly("HUP", "INT", "QUIT", "16");
    // Real-time signals belong to the C library.
    assertThat(DefaultSignals.names(1L << 33)).isEmpty();
  }
}
