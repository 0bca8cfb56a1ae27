package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completion in the shells themselves, with the names of a server's runs. */
final class CompletionShellsTest {
  private static final String RUNS =
      """
      {"runs": [{"name": "train-llama"}, {"name": "evaluate"}], "next": null}
      """;

  @TempDir private Path folder;
  private HttpServer server;

  CompletionShellsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void serve() throws IOException {
    server.createContext(
        "/api/v1/projects/main/runs",
        exchange -> {
          byte[] body = RUNS.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    Path berth =
        Files.writeString(
            folder.resolve("berth"),
            """
            #!/bin/sh
            exec '%s/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dberth.completion.millis=60000 \
              -cp '%s' dev.berth.cli.Berth "$@"
            """
                .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(berth, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(folder.resolve("some file.yml"), "type: task\n");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void bash() throws IOException, InterruptedException {
    String complete =
        """
        eval "$(berth completion bash)"
        complete_words() {
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
          _berth
          printf '<%s>\\n' "${COMPREPLY[@]}"
        }
        complete_words berth stop tr
        complete_words berth validate -f some
        complete_words berth user create x --role = a
        """;
    assertThat(run("bash", "--norc", "--noprofile", "-c", complete))
        .isEqualTo("<train-llama>\n<some file.yml>\n<admin>\n");
  }

  @Test
  void fish() throws IOException, InterruptedException {
    String complete =
        """
        berth completion fish | source
        complete -C 'berth stop '
        complete -C 'berth validate -f som'
        complete -C 'berth user create x --role=a'
        complete -C 'berth sto'
        """;
    assertThat(run("fish", "--no-config", "-c", complete))
        .contains("evaluate\n", "train-llama\n", "some file.yml", "--role=admin\n", "stop\tStop ");
  }

  /** The shell completes at a pseudo-terminal; each answer is awaited. */
  @Test
  void zsh() throws IOException, InterruptedException {
    String complete =
        """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'PS1= RPS1= PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste 2>/dev/null'
        zpty -w shell 'autoload -U compinit && compinit -D -u; eval "$(berth completion zsh)"; print READY$((40 + 2))'
        zpty -r shell output '*READY42*'
        zpty -w -n shell $'berth stop tr\\t'
        zpty -r shell output '*train-llama*'
        print -r -- run completed
        zpty -w -n shell $'\\C-uberth validate -f som\\t'
        zpty -r shell output '*some\\\\ file.yml*'
        print -r -- file completed
        zpty -d shell
        """;
    assertThat(run("zsh", "-f", "-c", complete)).isEqualTo("run completed\nfile completed\n");
  }

  /** What a shell prints, of which every word must be right. */
  private String run(String... command) throws IOException, InterruptedException {
    String shell = command[0];
    assumeTrue(isInstalled(shell), shell + " is not installed");
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile());
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("BERTH_HOME", folder.resolve("home").toString());
    builder.environment().put("BERTH_URL", "http://127.0.0.1:" + server.getAddress().getPort());
    builder.environment().put("BERTH_TOKEN", "token");
    builder.environment().put("TERM", "dumb");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(Files.readString(output)).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(output);
  }

  private static boolean isInstalled(String shell) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, shell))) {
        return true;
      }
    }
    return false;
  }
}
