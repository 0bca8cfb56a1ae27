package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Commands inside of running jobs, and their ports, as users reach them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InsideOfJobsTest {
  private final TestHome home = TestHome.fresh();

  @AfterAll
  void close() {
    home.close();
  }

  @Test
  void aCommandHasItsOwnStreamsAndExitCode() {
    begin("streams", "", "echo begun\nsleep 600");
    Await.until("it has begun", () -> home.berth("logs", "streams").out().equals("begun\n"));
    FinishedCommand ended =
        home.berth("exec", "streams", "--", "sh", "-c", "echo out; echo err >&2; exit 5").expect(5);
    assertThat(ended.out()).isEqualTo("out\n");
    assertThat(ended.err()).isEqualTo("err\n");
    home.berth("exec", "streams", "--", "sh", "-c", "kill -KILL $$").expect(137);
    assertThat(home.berth("exec", "streams", "printenv", "BERTH_RUN_NAME").expect(0).out())
        .isEqualTo("streams\n");
    // What a command writes is none of the run's output.
    assertThat(home.berth("logs", "streams").expect(0).out()).isEqualTo("begun\n");
    home.abort("streams");
  }

  @Test
  void inputIsPassedOnUntilItsEnd() {
    begin("reads", "", "sleep 600");
    Path script = home.file("script", "echo got it\nexit 3\n");
    List<String> words = new ArrayList<>(List.of("sh", "-c", "\"$@\" < " + script, "sh"));
    words.addAll(Distribution.command("exec", "reads", "--", "sh", "-s"));
    FinishedCommand ended = home.startProgram(words, home.scratch()).await().expect(3);
    assertThat(ended.out()).isEqualTo("got it\n");
    home.abort("reads");
  }

  @Test
  void ctrlCEndsTheCommandAndLeavesTheRun() {
    begin("interrupted", "", "sleep 600");
    RunningCommand command =
        home.startAtTheTerminal("exec", "interrupted", "--", "sh", "-c", "echo $$; exec sleep 601")
            .awaitOut("\n");
    long inside = Long.parseLong(command.out().strip());
    ProcessTable.signal("INT", command.process().pid());
    command.await().expect(130);
    Await.until("the end of the command", () -> !ProcessTable.isAlive(inside));
    assertThat(home.run("interrupted").get("status").asString()).isEqualTo("running");
    home.abort("interrupted");
  }

  @Test
  void whatCannotBeIsSaid() {
    home.submit(home.task("over", "", "true"));
    home.awaitEnd("over");
    assertThat(home.berth("exec", "over", "--", "true").expect(77).err()).contains("has ended");
    assertThat(home.berth("exec", "none", "--", "true").expect(1).err())
        .contains("there is no run 'none'");
    home.berth("exec", "over").expect(64);
    assertThat(home.berth("attach", "over", "-p", "0").expect(64).err())
        .contains("'0' is not a port");
    assertThat(home.berth("attach", "over", "-p", "1:70000").expect(64).err())
        .contains("'1:70000' is not a port");
    assertThat(home.berth("attach", "none").expect(1).err()).contains("there is no run 'none'");
    home.berth("attach", "over").expect(0);
  }

  @Test
  void attachForwardsPortsAndCtrlCDetaches() throws IOException {
    int port = FreePort.find();
    begin("forwarded", "ports: ['*:" + port + "']", pages(port));
    RunningCommand attached = home.startAtTheTerminal("attach", "forwarded");
    assertThat(page(attached.awaitForwarded())).isEqualTo("here\n");
    attached.awaitOut("begun\n");
    ProcessTable.signal("INT", attached.process().pid());
    assertThat(attached.await().expect(0).err()).contains("detached; forwarded keeps running");
    assertThat(home.run("forwarded").get("status").asString()).isEqualTo("running");
    home.abort("forwarded");
  }

  @Test
  void attachEndsWithTheRunAndSaysWhereNobodyListens() throws IOException {
    Path go = home.scratch().resolve("go");
    int silent = FreePort.find();
    begin("waits", "", "while [ ! -e " + go + " ]; do sleep 0.1; done\nexit 5");
    RunningCommand attached = home.start("attach", "waits", "--no-logs", "-p", "*:" + silent);
    int local = attached.awaitForwarded();
    assertThat(catchPage(local)).isNotNull();
    attached.awaitErr("nothing is listening on port " + silent);
    home.file("go", "");
    attached.await().expect(5);
  }

  @Test
  void aPortThatIsTakenIsSaid() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      begin("taken", "", "sleep 600");
      assertThat(home.berth("attach", "taken", "-p", port + ":80").expect(1).err())
          .contains(
              "cannot listen on port " + port + " of this machine",
              "berth attach taken -p LOCAL:80");
      home.abort("taken");
    }
  }

  @Test
  void aJobOnThisMachineHasItsPortForItself() throws IOException {
    int port = FreePort.find();
    Path file = home.task("unforwarded", "ports: [" + port + "]", pages(port));
    RunningCommand applied = home.start("apply", "-y", "-f", file.toString()).awaitOut("begun\n");
    assertThat(page(port)).isEqualTo("here\n");
    assertThat(applied.err()).doesNotContain("forwarding 127.0.0.1:");
    home.abort("unforwarded");
    applied.await().expect(1);
  }

  @Test
  void applyForwardsThePortsOfTheTask() throws IOException {
    int port = FreePort.find();
    Path file = home.task("applied", "ports: ['*:" + port + "']", pages(port));
    RunningCommand applied = home.start("apply", "-y", "-f", file.toString());
    assertThat(page(applied.awaitForwarded())).isEqualTo("here\n");
    home.abort("applied");
    applied.await().expect(1);
  }

  private void begin(String name, String fields, String commands) {
    home.submit(home.task(name, fields, commands));
    home.awaitRunning(name);
  }

  private static String pages(int port) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return """
    mkdir pages
    echo here > pages/index.html
    echo begun
    exec '%s' -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -m jdk.httpserver -b 127.0.0.1 -d "$PWD/pages" -p %d
    """
        .formatted(java, port);
  }

  /** A page, asked for again until somebody listens behind the port. */
  private static String page(int port) {
    String[] found = new String[1];
    Await.until(
        "an answer from port " + port,
        () -> {
          IOException failure = null;
          try (HttpClient http = HttpClient.newHttpClient()) {
            found[0] = fetch(http, port);
          } catch (IOException e) {
            failure = e;
          }
          return failure == null;
        });
    return found[0];
  }

  private static IOException catchPage(int port) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      throw new AssertionError("somebody answers: " + fetch(http, port));
    } catch (IOException e) {
      return e;
    }
  }

  private static String fetch(HttpClient http, int port) throws IOException {
    try {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/index.html"))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
