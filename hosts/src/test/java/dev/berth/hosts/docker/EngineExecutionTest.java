package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.spi.BackendException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands whose engine, or whose own program, does not behave. */
@Timeout(60)
class EngineExecutionTest {
  private static final int FILLED = 256 * 1024;

  @TempDir Path directory;

  /** Makes a command, and leaves its output and its end to others. */
  private FakeEngine engine(FakeEngine.Answers output, FakeEngine.Answers state) {
    return new FakeEngine(
        directory.resolve("engine.sock"),
        (asked, out) -> {
          if (asked.path().endsWith("/version")) {
            FakeEngine.send(out, 200, "{}");
          } else if (asked.path().endsWith("/start")) {
            out.write("HTTP/1.1 101 UPGRADED\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            output.answer(asked, out);
          } else if (asked.path().contains("/exec/")) {
            state.answer(asked, out);
          } else {
            FakeEngine.send(out, 201, "{\"Id\":\"one\"}");
          }
        });
  }

  private static EngineExecution execution(FakeEngine engine) {
    return engine.engine().exec("container", List.of("yes"), Map.of(), () -> {});
  }

  private static void flood(OutputStream out) throws IOException {
    byte[] frame = new byte[8 + 4096];
    frame[0] = 2;
    frame[6] = 16;
    while (true) {
      out.write(frame);
    }
  }

  @Test
  void closingLetsGoOfWhoeverReads() throws Exception {
    try (FakeEngine engine =
        engine((_, out) -> flood(out), (_, out) -> FakeEngine.send(out, 200, "{}"))) {
      EngineExecution execution = execution(engine);
      CompletableFuture<byte[]> reader =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return execution.output().readAllBytes();
                } catch (IOException closed) {
                  return new byte[0];
                }
              });
      while (execution.errors().available() < FILLED) {
        Thread.onSpinWait();
      }
      execution.close();
      reader.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void engineThatForgotTheCommandIsASentence() throws Exception {
    try (FakeEngine engine =
            engine((_, _) -> {}, (_, out) -> FakeEngine.send(out, 500, "{\"message\":\"ouch\"}"));
        EngineExecution execution = execution(engine)) {
      assertThatThrownBy(execution::exitCode)
          .isInstanceOf(BackendException.Transient.class)
          .hasMessage("how the command ended is not known: ouch");
    }
  }
}
