package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A command that has ended, and what it wrote. */
@SuppressWarnings("ArrayRecordComponent") // output is bytes; two commands are never compared
record FinishedCommand(int exitCode, byte[] stdout, byte[] stderr) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  String out() {
    return new String(stdout, StandardCharsets.UTF_8);
  }

  String err() {
    return new String(stderr, StandardCharsets.UTF_8);
  }

  /** The same, after a look at the exit code that shows the output where it is another one. */
  FinishedCommand expect(int code) {
    assertThat(exitCode).as("exit code\nout:\n%s\nerr:\n%s", out(), err()).isEqualTo(code);
    return this;
  }

  JsonNode json() {
    expect(0);
    return MAPPER.readTree(stdout);
  }
}
