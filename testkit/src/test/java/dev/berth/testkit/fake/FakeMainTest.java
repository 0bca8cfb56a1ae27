package dev.berth.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A fake cloud as a process of its own. */
@Timeout(60)
class FakeMainTest {
  @TempDir Path directory;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FakeMain.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).directory(directory.toFile()).start();
    processes.add(process);
    return process;
  }

  private static URI address(Process process) throws IOException {
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    assertThat(line).startsWith("awkward listens on http://127.0.0.1:");
    return URI.create(line.substring(line.indexOf("http")));
  }

  private static String call(URI address, String method, String path, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Authorization", "Bearer right-key-77c2")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  @Test
  void keepsItsStateWhenKilledAndEndsWhenTold() throws Exception {
    Process first = start("awkward", "--port", "0", "--data", "cloud.json");
    call(address(first), "POST", "/v1/disks", "{\"label\":\"mine\",\"region\":\"east\"}");
    first.destroyForcibly();
    assertThat(first.waitFor(10, TimeUnit.SECONDS)).isTrue();

    Process second = start("awkward", "--data", "cloud.json", "--port", "0");
    assertThat(call(address(second), "GET", "/v1/disks/disk-1", "")).contains("\"label\":\"mine\"");
    second.destroy();
    assertThat(second.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(second.exitValue()).isEqualTo(143);
    assertThat(directory.resolve("cloud.json")).content().contains("\"cloud\":\"awkward\"");
  }

  private static void fails(int code, String said, String... arguments) {
    assertThatThrownBy(() -> FakeMain.started(List.of(arguments), System.out))
        .isInstanceOfSatisfying(
            FakeMain.Failure.class, failure -> assertThat(failure.code).isEqualTo(code))
        .hasMessageContaining(said)
        .message()
        .doesNotContain("Exception");
  }

  @Test
  void endsWithACodeAndASentence() throws Exception {
    Process process = start("nimbus", "--port", "0");
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(errors)
        .startsWith("fake: there is no fake cloud \"nimbus\"")
        .doesNotContain("\tat ");
    assertThat(process.exitValue()).isEqualTo(64);
  }

  @Test
  void saysWhatIsWrong() {
    fails(64, "no fake cloud \"nimbus\"", "nimbus", "--port", "0");
    fails(64, "  awkward: machines", "nimbus", "--port", "0");
    fails(64, "name one fake cloud", "--port", "0");
    fails(64, "--port is missing", "awkward");
    fails(64, "--port needs a value", "awkward", "--port");
    fails(64, "not \"http\"", "awkward", "--port", "http");
    fails(64, "not \"65536\"", "awkward", "--port", "65536");
    fails(64, "unknown option --tls", "awkward", "--tls");
  }

  @Test
  void saysWhichPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      fails(69, "port " + port + " of 127.0.0.1 cannot be used", "awkward", "--port", port);
    }
  }

  @Test
  void saysWhichDataCannotBeRead() throws Exception {
    String bad = directory.resolve("bad").toString();
    Files.writeString(Path.of(bad), "no json");
    fails(65, bad + " cannot be used: it is not", "awkward", "--port", "0", "--data", bad);
    fails(65, "cannot be used", "awkward", "--port", "0", "--data", directory.toString());
    fails(65, "is missing", "awkward", "--port", "0", "--data", bad + "/folder/file");
    assertThat(directory.resolve("bad")).hasContent("no json");
  }
}
