package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What of a text is drawn. */
final class LiveScreenTest {
  @Test
  void whatHasNoRoomIsCut() {
    LiveScreen.Size size = LiveScreen.parse("3 5\n");
    assertThat(LiveScreen.fit("abcdefg\nb\nc\nd\n", size)).isEqualTo("abcde\nb\n");
  }

  @Test
  void withoutASizeNothingIsCut() {
    for (String printed : new String[] {"", "0 0\n", "stty: no"}) {
      assertThat(LiveScreen.fit("abcdefg\nb\nc\n", LiveScreen.parse(printed)))
          .isEqualTo("abcdefg\nb\nc\n");
    }
  }
}
