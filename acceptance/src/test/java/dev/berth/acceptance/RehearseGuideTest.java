package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Follows the guide to rehearsals as a reader would: writes its files and types its commands. */
@Timeout(900)
class RehearseGuideTest {
  @Test
  void everyRehearsalShowsWhatThePageSays() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      assertThat(Guide.REHEARSE.follow(home)).isGreaterThanOrEqualTo(5);
    }
  }
}
