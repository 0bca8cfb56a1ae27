package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tasks through the command line: output, exit codes, listings, refusals. */
class TasksTest {
  private static TestHome home;

  @BeforeAll
  static void open() {
    home = TestHome.fresh();
  }

  @AfterAll
  static void close() {
    home.close();
  }

  @Test
  void outputIsByteForByteWhatTheJobWrote() throws IOException {
    long seed = new SplittableRandom().nextLong();
    System.out.println("TasksTest seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    byte[] stdout = OutputBytes.hard(random, 700_000, 5);
    byte[] stderr = OutputBytes.hard(random, 90_000, 3);
    Path out = Files.write(home.scratch().resolve("bytes.out"), stdout);
    Path err = Files.write(home.scratch().resolve("bytes.err"), stderr);
    Path file = home.task("bytes", "", "cat '" + out + "'\ncat '" + err + "' >&2");

    FinishedCommand attached = home.berth("apply", "-f", file.toString(), "-y").expect(0);
    assertSame(attached.stdout(), stdout);

    assertSame(home.berth("logs", "bytes", "--stdout").expect(0).stdout(), stdout);
    assertSame(home.berth("logs", "bytes", "--stderr").expect(0).stdout(), stderr);
    FinishedCommand both = home.berth("logs", "bytes").expect(0);
    assertSame(both.stdout(), stdout);
    assertSame(both.stderr(), stderr);
    FinishedCommand followed = home.berth("logs", "-f", "bytes").expect(0);
    assertSame(followed.stdout(), stdout);
    assertSame(followed.stderr(), stderr);
  }

  private static void assertSame(byte[] actual, byte[] expected) {
    assertThat(OutputBytes.sha256(actual))
        .as("%d bytes, expected %d", actual.length, expected.length)
        .isEqualTo(OutputBytes.sha256(expected));
  }

  @Test
  void followingGoesOnUntilTheEnd() throws IOException {
    Path gate = home.scratch().resolve("follow.gate");
    home.submit(
        home.task("follow", "", "printf first\n" + untilThere(gate) + "\nprintf ' second'"));
    RunningCommand logs = home.start("logs", "-f", "follow").awaitOut("first");
    Files.createFile(gate);
    assertThat(logs.await().expect(0).out()).isEqualTo("first second");
  }

  @Test
  void anAttachedRunEndsWithTheJobsCode() {
    assertThat(apply(home.task("seven", "", "exit 7")).exitCode()).isEqualTo(7);
    // As in a shell: 128 and the number of the signal.
    assertThat(apply(home.task("shot", "", "sh -c 'kill -KILL $PPID'")).exitCode()).isEqualTo(137);
    assertThat(home.run("shot").get("status").asString()).isEqualTo("failed");
  }

  @Test
  void aJobThatCannotStartSaysWhy() {
    FinishedCommand apply = apply(home.task("nowhere", "working_dir: /nonexistent", "true"));
    assertThat(apply.expect(1).err())
        .contains("nowhere failed")
        .contains("the working directory /nonexistent does not exist");
  }

  @Test
  void aDetachedRunIsListedWhileItRunsAndAfterwards() throws IOException {
    Path gate = home.scratch().resolve("listed.gate");
    Path file = home.task("listed", "", "echo on\n" + untilThere(gate));
    FinishedCommand apply = home.berth("apply", "-f", file.toString(), "-y", "-d").expect(0);
    assertThat(apply.out()).isEqualTo("listed\n");
    RunningCommand logs = home.start("logs", "-f", "listed").awaitOut("on\n");
    home.awaitRunning("listed");

    assertThat(home.berth("ps").expect(0).out()).contains("listed").contains("running");
    JsonNode running = home.run("listed");
    assertThat(running.get("status").asString()).isEqualTo("running");
    assertThat(running.get("finished_at").isNull()).isTrue();
    assertThat(running.get("exit_code").isNull()).isTrue();
    FinishedCommand again = home.berth("apply", "-f", file.toString(), "-y").expect(77);
    assertThat(again.err())
        .contains("the run 'listed' is active; follow it with: berth attach listed, stop it first");
    assertThat(home.berth("delete", "listed").expect(77).err())
        .contains("the run 'listed' has not ended; stop it first");

    Files.createFile(gate);
    logs.await().expect(0);
    assertThat(home.berth("ps").expect(0).out()).doesNotContain("listed");
    assertThat(home.berth("ps", "-a").expect(0).out()).contains("listed").contains("done");
  }

  @Test
  void listingsHaveTheShapeThatProgramsRelyOn() {
    apply(home.task("shape", "", "exit 4"));
    JsonNode list = home.berth("ps", "-a", "--json").json();
    assertThat(list.propertyNames()).containsExactly("runs");
    for (JsonNode run : list.get("runs")) {
      assertThat(run.propertyNames())
          .containsExactly(
              "name",
              "type",
              "status",
              "reason",
              "exit_code",
              "backend",
              "price",
              "cost",
              "message",
              "priority",
              "nodes",
              "attempt",
              "after",
              "next_at",
              "submitted_at",
              "finished_at");
    }
    JsonNode run = home.run("shape");
    assertThat(run.get("type").asString()).isEqualTo("task");
    assertThat(run.get("status").asString()).isEqualTo("failed");
    assertThat(run.get("reason").asString()).isEqualTo("job_failed");
    assertThat(run.get("exit_code").asInt()).isEqualTo(4);
    assertThat(run.get("backend").asString()).isEqualTo("local");
    assertThat(run.get("price").asDouble()).isZero();
    assertThat(run.get("cost").asDouble()).isZero();
    assertThat(run.get("finished_at").asString())
        .isGreaterThanOrEqualTo(run.get("submitted_at").asString());
  }

  @Test
  void oneRunIsShownWithItsConfigurationAndAttempts() {
    apply(home.task("detail", "env: [COLOUR=blue]", "echo $COLOUR"));
    JsonNode detail = home.berth("show", "detail", "--json").json();
    FinishedCommand former = home.berth("run", "get", "detail", "--json").expect(0);
    assertThat(former.json()).isEqualTo(detail);
    assertThat(former.err()).isEqualTo("berth: 'berth run get' is now: berth show detail\n");
    assertThat(detail.get("run").get("status").asString()).isEqualTo("done");
    assertThat(detail.at("/configuration/env/COLOUR").asString()).isEqualTo("blue");
    assertThat(detail.get("attempts").size()).isEqualTo(1);
    assertThat(detail.at("/attempts/0/exit_code").asInt()).isZero();
  }

  @Test
  void eventsTellTheLifeOfARun() {
    apply(home.task("eventful", "", "true"));
    String id = home.berth("show", "eventful").json().at("/run/id").asString();
    JsonNode events = home.berth("event", "--json").json().get("events");
    List<String> kinds =
        events
            .valueStream()
            .filter(event -> event.get("entity_id").asString().equals(id))
            .map(event -> event.get("kind").asString())
            .toList();
    assertThat(kinds).startsWith("run.submitted").endsWith("run.ended").contains("run.status");
    assertThat(home.berth("event").expect(0).out()).contains("run.ended");
  }

  @Test
  void aDeletedRunIsGoneWithItsOutput() {
    apply(home.task("forgotten", "", "echo secret"));
    assertThat(home.berth("delete", "forgotten").expect(0).out()).isEqualTo("forgotten deleted\n");
    assertThat(home.berth("logs", "forgotten").expect(1).err())
        .isEqualTo("berth: there is no run 'forgotten' in the project 'main'\n");
    assertThat(home.berth("ps", "-a").expect(0).out()).doesNotContain("forgotten");
  }

  @Test
  void unknownRunsAreNamed() {
    for (String command : List.of("logs", "stop", "delete")) {
      assertThat(home.berth(command, "ghost").expect(1).err())
          .isEqualTo("berth: there is no run 'ghost' in the project 'main'\n");
    }
  }

  @Test
  void planShowsThePlaceAndRunsNothing() {
    Path file = home.task("planned", "", "true");
    assertThat(home.berth("plan", "-f", file.toString()).expect(0).out())
        .contains("planned")
        .contains("local");
    JsonNode plan = home.berth("plan", "-f", file.toString(), "--json").json();
    assertThat(plan.at("/offers/0/backend").asString()).isEqualTo("local");
    assertThat(home.berth("ps", "-a").expect(0).out()).doesNotContain("planned");
  }

  @Test
  void aFileMayComeFromStandardInput() throws IOException {
    Path file = home.task("piped", "files: [given.txt]", "cat given.txt");
    Files.writeString(home.scratch().resolve("given.txt"), "from here");
    for (String command : List.of("plan", "explain")) {
      assertThat(home.startWithInput(file, command, "-f", "-").await().expect(0).out())
          .contains("local");
    }
    assertThat(home.startWithInput(file, "apply", "-f", "-", "-y").await().expect(0).out())
        .contains("from here");
    assertThat(
            home.startWithInput(Path.of("/dev/null"), "plan", "-f", "-").await().expect(65).err())
        .contains("berth: - is not valid");
  }

  @Test
  void scriptsForDstackMayAgreeInAdvance() {
    apply(home.task("agreed", "", "true"));
    assertThat(home.berth("stop", "-y", "agreed").expect(0).out()).contains("has already ended");
    assertThat(home.berth("delete", "-y", "agreed").expect(0).out()).isEqualTo("agreed deleted\n");
  }

  @Test
  void whatCannotBeHonouredIsRefusedWithItsPath() {
    Path file = home.task("boxed", "image: ubuntu\nprivileged: true", "true");
    for (String command : List.of("plan", "apply")) {
      FinishedCommand refused = home.berth(command, "-f", file.toString()).expect(77);
      assertThat(refused.err())
          .contains(
              "image: this machine runs commands without containers; remove 'image', or use a"
                  + " backend that runs containers")
          .contains("privileged: this machine runs commands without containers");
    }
  }

  @Test
  void aVariableWithoutAValueIsAskedFor() {
    Path file = home.task("asking", "env: [NOT_SET_ANYWHERE]", "echo \"got $NOT_SET_ANYWHERE\"");
    assertThat(apply(file).expect(77).err()).contains("env.NOT_SET_ANYWHERE").contains("-e");
    FinishedCommand given =
        home.berth("apply", "-f", file.toString(), "-y", "-e", "NOT_SET_ANYWHERE=it").expect(0);
    assertThat(given.out()).isEqualTo("got it\n");
  }

  @Test
  void aWarningLooksAsInValidate() {
    Path file = home.task("eighty", "resources: {gpu: 'A100:80'}", "true");
    assertThat(home.berth("plan", "-f", file.toString()).err())
        .contains(file + ":", ": resources.gpu: warning: this asks for 80 GPUs");
  }

  @Test
  void anInvalidFileIsRefusedBeforeAnythingElse() {
    Path file = home.file("wrong.berth.yml", "type: task\ncomands: [a]\n");
    FinishedCommand refused = home.berth("apply", "-f", file.toString(), "-y").expect(65);
    assertThat(refused.err()).contains(file + ":2:1: comands: unknown field 'comands'");
  }

  @Test
  void withoutATerminalNobodyCanBeAsked() {
    Path file = home.task("unasked", "", "true");
    assertThat(home.berth("apply", "-f", file.toString()).expect(64).err())
        .contains(
            "cannot ask for confirmation without a terminal; add -y to submit without asking");
    assertThat(home.berth("ps", "-a").expect(0).out()).doesNotContain("unasked");
  }

  @Test
  void configTellsWhichServerIsUsed() {
    home.berth("ps").expect(0);
    JsonNode config = home.berth("config", "--json").json();
    assertThat(config.get("home").asString()).isEqualTo(home.folder().toString());
    assertThat(config.get("project").asString()).isEqualTo("main");
    assertThat(config.get("server").asString()).isEqualTo("embedded");
    assertThat(config.get("pid").asLong()).isEqualTo(home.serverPid());
    assertThat(config.get("url").asString())
        .isEqualTo(home.embedded().orElseThrow().get("url").asString());
  }

  private static FinishedCommand apply(Path file) {
    return home.berth("apply", "-f", file.toString(), "-y");
  }

  /** A shell command that waits for a file. */
  private static String untilThere(Path file) {
    return "while [ ! -e '" + file + "' ]; do sleep 0.1; done";
  }
}
