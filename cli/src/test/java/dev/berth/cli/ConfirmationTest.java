package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** Answers to "Submit it?". */
final class ConfirmationTest {
  private final StringWriter shown = new StringWriter();

  private boolean answered(String... typed) {
    Deque<String> answers = new ArrayDeque<>(Arrays.asList(typed));
    return Confirmation.isConfirmed("Submit it?", answers::poll, new PrintWriter(shown));
  }

  @Test
  void yesAndNoAreUnderstoodInAnyCase() {
    assertThat(answered("y")).isTrue();
    assertThat(answered(" YES ")).isTrue();
    assertThat(answered("n")).isFalse();
    assertThat(answered("No")).isFalse();
  }

  @Test
  void anythingElseIsAskedAgain() {
    assertThat(answered("", "maybe", "yup", "y")).isTrue();
    assertThat(shown.toString().split("Please answer y or n", -1)).hasSize(4);
    assertThat(shown.toString().split("Submit it\\? \\[y/n] ", -1)).hasSize(5);
  }

  @Test
  void theEndOfTheInputIsNo() {
    assertThat(answered("maybe")).isFalse();
    assertThat(shown.toString()).endsWith("[y/n] " + System.lineSeparator());
  }
}
