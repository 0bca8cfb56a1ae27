package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Escapes that the YAML library does not survive; a fuzzer found the first. */
class BrokenEscapeTest {
  @ParameterizedTest
  @ValueSource(strings = {"\"'\\u", "a: \"\\u", "a: \"\\x", "a: \"\\U0000", "a: \"\\UFFFFFFFF\""})
  void isASyntaxError(String text) {
    assertThatThrownBy(() -> YamlReader.read(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(SyntaxException.class);
  }
}
