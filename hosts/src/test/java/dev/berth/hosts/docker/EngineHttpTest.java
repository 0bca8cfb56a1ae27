package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.LocalAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that are not what was asked for. */
class EngineHttpTest {
  @TempDir Path directory;

  private FakeEngine engine(FakeEngine.Answers answers) {
    return new FakeEngine(
        directory.resolve("engine.sock"),
        (asked, out) -> {
          if (asked.path().equals("/version")) {
            FakeEngine.send(out, 200, "{}");
          } else {
            answers.answer(asked, out);
          }
        });
  }

  @Test
  void engineThatIsNotThereIsNamedByItsAddress() {
    Path socket = directory.resolve("nobody.sock");
    assertThat(
            new UnixEngine(
                LocalAccess.ofThisMachine().streams(), MachinePath.of(socket.toString())))
        .hasToString("unix://" + socket);
    assertThatThrownBy(
            () ->
                new Engine(
                        new UnixEngine(
                            LocalAccess.ofThisMachine().streams(),
                            MachinePath.of(socket.toString())))
                    .version())
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("the engine at unix://" + socket + " cannot be reached: ");
  }

  @Test
  void answerThatLeadsElsewhereIsNoSuccess() {
    try (FakeEngine engine =
        engine(
            (_, out) ->
                out.write(
                    "HTTP/1.1 301 Moved\r\nLocation: /a/b\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII)))) {
      assertThatThrownBy(() -> engine.engine().images().find("a//b"))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("leads to '/a/b'");
    }
  }

  @Test
  void whatRunsAlreadyIsStarted() {
    try (FakeEngine engine = engine((_, out) -> FakeEngine.send(out, 304, ""))) {
      engine.engine().start("one");
      assertThat(engine.asked()).hasSize(2);
    }
  }

  @Test
  void fileOfAnImageIsTakenUpToItsMost() {
    String passwd = "x".repeat((1 << 20) + 1);
    try (FakeEngine engine = engine((_, out) -> FakeEngine.send(out, 200, passwd))) {
      assertThatThrownBy(() -> engine.engine().file("one", "/etc/passwd"))
          .hasMessage("the file /etc/passwd of the image has more than 1 MB; name another image");
    }
    try (FakeEngine engine =
        new FakeEngine(
            directory.resolve("other.sock"),
            (asked, out) ->
                FakeEngine.send(
                    out, 200, asked.path().equals("/version") ? "{}" : "x".repeat(1 << 20)))) {
      assertThat(engine.engine().file("one", "/etc/passwd").orElseThrow()).hasSize(1 << 20);
    }
  }

  @Test
  void lineWithoutAnEndIsNotKept() throws IOException {
    try (FakeEngine engine = engine((_, out) -> FakeEngine.send(out, 200, "y".repeat(3 << 20)));
        EngineResponse events = engine.engine().events("label", "value")) {
      assertThatThrownBy(() -> events.lines(_ -> {}))
          .isInstanceOf(IOException.class)
          .hasMessage("the engine sent a line without an end");
    }
  }

  @Test
  void whatTheEngineLeavesOutIsTold() {
    String said = "Your kernel does not support memory limit capabilities. Limitation discarded.";
    try (FakeEngine engine =
        engine(
            (_, out) ->
                FakeEngine.send(
                    out, 201, "{\"Id\":\"1\",\"Warnings\":[\"%s\",\"\"]}".formatted(said)))) {
      ContainerSpec spec =
          new ContainerSpec(
              "i",
              List.of("sh"),
              "",
              "",
              Map.of(),
              Map.of(),
              List.of(),
              ContainerSpec.Limits.NONE,
              ContainerSpec.Devices.NONE,
              "bridge",
              List.of(),
              false);
      assertThat(engine.engine().create("one", spec)).containsExactly(said);
      assertThat(EngineRefusal.discarded(said)).startsWith(EngineRefusal.NO_MEMORY_LIMIT);
    }
  }
}
