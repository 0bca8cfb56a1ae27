package dev.berth.testkit.checks;

import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.CheckFailure;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Subject;
import dev.berth.testkit.Trial;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Commands inside of jobs, and connections to their ports. */
final class ConnectionChecks {
  private static final int SILENT_PORT = 18799;

  static final List<Check> ALL =
      List.of(
          check(
                  "exec-gives-output-and-code",
                  "exec() runs a command inside of a running job, and gives its output and exit"
                      + " code.",
                  ConnectionChecks::exec)
              .using(Trait.EXEC),
          check(
                  "exec-passes-input",
                  "What is written to the input of exec() reaches the command.",
                  ConnectionChecks::input)
              .using(Trait.EXEC),
          check(
                  "exec-without-a-running-job-gone",
                  "exec() in a job that has ended, or that nobody knows, throws Gone.",
                  ConnectionChecks::execGone)
              .using(Trait.EXEC),
          check(
                  "exec-refused",
                  "Without EXEC a command inside of a running job is refused.",
                  ConnectionChecks::noExec)
              .refusing(Trait.EXEC),
          check(
                  "connect-reaches-a-port",
                  "connect() carries bytes to a port that a job listens on, and back.",
                  ConnectionChecks::connect)
              .using(Trait.CONNECT),
          check(
                  "connect-to-a-silent-port-transient",
                  "connect() to a port that nobody listens on is Transient: it may come.",
                  ConnectionChecks::silentPort)
              .using(Trait.CONNECT),
          check(
                  "connect-without-a-running-job-gone",
                  "connect() to a job that nobody knows throws Gone.",
                  ConnectionChecks::connectGone)
              .using(Trait.CONNECT),
          check(
                  "connect-refused",
                  "Without CONNECT a connection to a port of a running job is refused.",
                  ConnectionChecks::noConnect)
              .refusing(Trait.CONNECT));

  private ConnectionChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.BEHAVIOURS, name, sentence, body).needing(Part.JOBS);
  }

  private static String running(Trial trial) {
    String job = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(job);
    return job;
  }

  private static void exec(Trial trial) throws IOException, InterruptedException {
    JobRuntime runtime = trial.jobs().runtime();
    String job = running(trial);
    try (Execution execution = runtime.exec(job, List.of("echo", "inside"))) {
      execution.input().close();
      Expect.same(
          "inside\n",
          new String(execution.output().readAllBytes(), StandardCharsets.UTF_8),
          "the output of a command inside of a job");
      Expect.same(0, execution.exitCode(), "the exit code of a command that succeeds");
    }
    try (Execution execution = runtime.exec(job, List.of("sh", "-c", "exit 5"))) {
      execution.input().close();
      Expect.same(5, execution.exitCode(), "the exit code of a command that fails");
    }
  }

  private static void input(Trial trial) throws IOException, InterruptedException {
    String job = running(trial);
    try (Execution execution = trial.jobs().runtime().exec(job, List.of("cat"))) {
      execution.input().write("through\n".getBytes(StandardCharsets.UTF_8));
      execution.input().close();
      Expect.same(
          "through\n",
          new String(execution.output().readAllBytes(), StandardCharsets.UTF_8),
          "what 'cat' gives back of its input");
      Expect.same(0, execution.exitCode(), "the exit code of 'cat'");
    }
  }

  private static void execGone(Trial trial) {
    JobRuntime runtime = trial.jobs().runtime();
    String ended = trial.jobs().run("echo done");
    trial.jobs().awaitEnd(ended);
    for (String job : List.of(ended, trial.key())) {
      Expect.thrown(
          () -> runtime.exec(job, List.of("echo", "inside")).close(),
          "exec() where no job runs",
          BackendException.Gone.class);
    }
  }

  private static void noExec(Trial trial) {
    String job = running(trial);
    Expect.refused(
        () -> trial.jobs().runtime().exec(job, List.of("echo", "inside")).close(),
        "exec() in a running job",
        Trait.EXEC);
  }

  private static String listening(Trial trial) {
    Subject.Listener listener = trial.subject().listener();
    List<String> commands = trial.hasRealShell() ? listener.commands() : List.of("sleep 3600");
    JobRequest request = trial.jobs().request(commands, null, Map.of());
    Container container = request.container();
    String job =
        trial
            .jobs()
            .start(
                container == null
                    ? request
                    : request.in(container.withPorts(List.of(listener.port()))));
    trial.jobs().awaitRunning(job);
    return job;
  }

  private static void connect(Trial trial) throws IOException {
    String job = listening(trial);
    int port = trial.subject().listener().port();
    ByteBuffer sent = ByteBuffer.wrap("there and back\n".getBytes(StandardCharsets.UTF_8));
    try (ByteChannel channel =
        trial.await(
            trial.limits().ready(),
            "connect() did not reach the port that the job listens on",
            () -> Optional.of(reach(trial, job, port)))) {
      while (sent.hasRemaining()) {
        channel.write(sent);
      }
      ByteBuffer received = ByteBuffer.allocate(sent.capacity());
      while (received.hasRemaining() && channel.read(received) >= 0) {
        Thread.onSpinWait();
      }
      Expect.same(
          "there and back\n",
          new String(received.array(), 0, received.position(), StandardCharsets.UTF_8),
          "what came back from the port");
    }
  }

  private static ByteChannel reach(Trial trial, String job, int port) {
    JobRuntime runtime = trial.jobs().runtime();
    try {
      return runtime.connect(job, port);
    } catch (BackendException.Transient nobody) {
      String line = Subject.Listener.NO_PROGRAM + "\n";
      byte[] said = runtime.read(job, JobRuntime.Stream.STDOUT, 0, line.length()).bytes();
      if (line.equals(new String(said, StandardCharsets.UTF_8))) {
        throw new NotApplicable(Subject.Listener.NO_PROGRAM + " in the job; see Subject.listening");
      }
      throw nobody;
    }
  }

  private static void silentPort(Trial trial) {
    String job = running(trial);
    Expect.thrown(
        () -> close(trial.jobs().runtime().connect(job, SILENT_PORT)),
        "connect() to a port that nobody listens on",
        BackendException.Transient.class);
  }

  private static void connectGone(Trial trial) {
    Expect.thrown(
        () -> close(trial.jobs().runtime().connect(trial.key(), SILENT_PORT)),
        "connect() to a job that nobody knows",
        BackendException.Gone.class);
  }

  private static void noConnect(Trial trial) {
    String job = running(trial);
    Expect.refused(
        () -> close(trial.jobs().runtime().connect(job, SILENT_PORT)),
        "connect() to a running job",
        Trait.CONNECT);
  }

  private static void close(ByteChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new CheckFailure("a connection could not be closed", e);
    }
  }
}
