package dev.berth.testkit.checks;

import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobRuntime.Stream;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How output is read. */
final class LogChecks {
  private static final int LINES = 300;
  private static final int PIECE = 7;

  static final List<Check> ALL =
      List.of(
          check(
              "logs-hold-all-output",
              "read() gives every byte that a job wrote, in order.",
              LogChecks::all),
          check(
                  "logs-keep-an-unterminated-last-line",
                  "Output that does not end with a newline is read without one, in both streams.",
                  LogChecks::unterminated)
              .needing(Part.SHELL),
          check(
              "logs-are-read-by-offset",
              "read() begins at the byte offset, wherever that is.",
              LogChecks::offset),
          check(
              "logs-come-in-small-pieces",
              "read() gives at most maxBytes, and nextOffset is where the next piece begins.",
              LogChecks::pieces),
          check(
              "logs-read-again-are-the-same",
              "Reading an offset again gives the same bytes, also after the end.",
              LogChecks::again),
          check(
              "logs-keep-streams-apart",
              "What goes to standard error is read as STDERR, and the rest as STDOUT.",
              LogChecks::apart),
          check(
              "logs-tell-the-end",
              "'ended' is set with the last byte of a job that has ended, and not before.",
              LogChecks::end),
          check(
              "logs-of-a-running-job",
              "What a job wrote is read while it runs, and 'ended' is not set.",
              LogChecks::running),
          check(
              "logs-of-unknown-job-gone",
              "read() of a job that the backend does not know throws Gone.",
              LogChecks::unknown));

  private LogChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.LOGS, name, sentence, body).needing(Part.JOBS);
  }

  private static String numbers() {
    return IntStream.rangeClosed(1, LINES)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String counted(Trial trial) {
    String job = trial.jobs().run("seq 1 " + LINES);
    trial.jobs().awaitEnd(job);
    return job;
  }

  private static void all(Trial trial) {
    String job = counted(trial);
    Expect.that(
        trial.jobs().output(job, Stream.STDOUT).equals(numbers()),
        "the output of 'seq 1 %d' is not what read() gives: no byte may be lost, added or moved"
            .formatted(LINES));
  }

  private static void unterminated(Trial trial) {
    String job = trial.jobs().run("printf 'one\\ntwo'", "printf 'three' >&2");
    trial.jobs().awaitEnd(job);
    Expect.same(
        "one\ntwo",
        trial.jobs().output(job, Stream.STDOUT),
        "the output of printf 'one\\ntwo', to which no newline may be added");
    Expect.same(
        "three",
        trial.jobs().output(job, Stream.STDERR),
        "the errors of printf 'three' >&2, to which no newline may be added");
  }

  private static void offset(Trial trial) {
    String job = counted(trial);
    String text = numbers();
    for (int offset : List.of(1, 100, text.length() - 1)) {
      JobRuntime.Output piece =
          trial.jobs().runtime().read(job, Stream.STDOUT, offset, text.length());
      Expect.that(
          text(piece).equals(text.substring(offset)),
          "read() from byte %d on does not give what stands there".formatted(offset));
    }
  }

  private static String text(JobRuntime.Output piece) {
    return new String(piece.bytes(), StandardCharsets.UTF_8);
  }

  private static void pieces(Trial trial) {
    String job = counted(trial);
    StringBuilder read = new StringBuilder();
    for (boolean ended = false; !ended; ) {
      JobRuntime.Output piece =
          trial.jobs().runtime().read(job, Stream.STDOUT, read.length(), PIECE);
      Expect.that(
          piece.bytes().length <= PIECE, "read() gave more than maxBytes: cut the piece there");
      Expect.that(
          piece.nextOffset() == (long) read.length() + piece.bytes().length,
          "nextOffset must be the offset plus the number of bytes");
      read.append(text(piece));
      ended = piece.ended() || piece.bytes().length == 0;
    }
    Expect.that(
        read.toString().equals(numbers()), "pieces of output do not make up the whole of it");
  }

  private static void again(Trial trial) {
    String job = counted(trial);
    String first = trial.jobs().output(job, Stream.STDOUT);
    Expect.that(
        first.equals(trial.jobs().output(job, Stream.STDOUT)),
        "reading again gives other bytes: reading must not use output up");
  }

  private static void apart(Trial trial) {
    String job = trial.jobs().run("echo to-out", "echo to-err >&2");
    trial.jobs().awaitEnd(job);
    Expect.same("to-out\n", trial.jobs().output(job, Stream.STDOUT), "what was written to STDOUT");
    Expect.same("to-err\n", trial.jobs().output(job, Stream.STDERR), "what was written to STDERR");
  }

  private static void end(Trial trial) {
    String job = counted(trial);
    int size = trial.jobs().output(job, Stream.STDOUT).length();
    JobRuntime runtime = trial.jobs().runtime();
    Expect.that(
        !runtime.read(job, Stream.STDOUT, 0, PIECE).ended(),
        "'ended' is set though bytes follow: set it only with the last one");
    JobRuntime.Output last = runtime.read(job, Stream.STDOUT, size, PIECE);
    Expect.that(
        last.ended() && last.bytes().length == 0 && last.nextOffset() == size,
        "read() at the end must be empty, ended, and stay where it is");
  }

  private static void running(Trial trial) {
    String job = trial.jobs().run("echo early", "sleep 3600");
    trial.jobs().awaitRunning(job);
    JobRuntime.Output piece =
        trial.await(
            trial.limits().ready(),
            "what a running job wrote could not be read",
            () ->
                Optional.of(trial.jobs().runtime().read(job, Stream.STDOUT, 0, 1024))
                    .filter(output -> output.bytes().length > 0));
    Expect.same("early\n", text(piece), "what a running job wrote");
    Expect.that(!piece.ended(), "'ended' is set for a job that runs");
  }

  private static void unknown(Trial trial) {
    Expect.thrown(
        () -> trial.jobs().runtime().read(trial.key(), Stream.STDOUT, 0, PIECE),
        "read() of a job that was never started",
        BackendException.Gone.class);
  }
}
