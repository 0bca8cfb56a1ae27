package dev.berth.testkit.checks;

import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Traits;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Locale;

/** What is thrown, and how it reads. */
final class ErrorChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "job-at-unknown-place-refused",
                  "A job at an instance type that the provider does not have is a permanent error"
                      + " or no capacity.",
                  ErrorChecks::unknownPlace)
              .needing(Part.JOBS, Part.OFFERS),
          check(
              "errors-are-sentences",
              "An error says in a sentence for users what was wrong.",
              ErrorChecks::sentences),
          check(
              "wrong-credentials-are-unauthorised",
              "A backend with credentials that are refused opens all the same, and its calls throw"
                  + " Unauthorised.",
              ErrorChecks::unauthorised));

  private ErrorChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.ERRORS, name, sentence, body);
  }

  private static void unknownPlace(Trial trial) {
    Expect.thrown(
        () -> trial.jobs().start(trial.jobs().member("echo never").at(trial.nowhere())),
        "start() of a job at an unknown instance type",
        BackendException.Permanent.class,
        BackendException.NoCapacity.class);
  }

  private static void sentences(Trial trial) {
    BackendException error =
        trial.compute().runtime().isPresent()
            ? Expect.thrown(
                () -> trial.jobs().runtime().read(trial.key(), JobRuntime.Stream.STDOUT, 0, 1),
                "read() of a job that was never started",
                BackendException.class)
            : Expect.thrown(
                () -> trial.things().create(trial.things().machine(trial.key(), trial.nowhere())),
                "create() at an unknown instance type",
                BackendException.class);
    String message = String.valueOf(error.getMessage());
    Expect.that(
        message.strip().split("\\s+").length >= 3
            && !message.contains("Exception")
            && !message.toLowerCase(Locale.ROOT).contains("\tat "),
        "an error reads '%s': say in a sentence what was wrong and what to do".formatted(message));
  }

  private static void unauthorised(Trial trial) {
    try (Compute refused = trial.refusedType().open(trial.apart("refused"))) {
      Runnable call =
          refused.traits().base() == Traits.Base.MACHINES
              ? () -> refused.provisioner().ifPresent(things -> things.list(trial.owner()))
              : () -> refused.runtime().ifPresent(runtime -> runtime.list(trial.owner()));
      Expect.thrown(
          call,
          "list() with credentials that are not accepted",
          BackendException.Unauthorised.class);
    }
  }
}
