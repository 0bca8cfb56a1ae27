package dev.berth.testkit;

import dev.berth.spi.Deviation;
import dev.berth.spi.Trait;
import dev.berth.testkit.checks.AllChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs checks against a backend, one after the other. A check that fails does not spoil the next
 * ones: each uses keys of its own, and gives back what it made.
 */
public final class Conformance implements AutoCloseable {
  private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");

  private final Session session;

  private Conformance(Session session) {
    this.session = session;
  }

  /** All checks, in the order in which a backend is best written. */
  public static List<Check> checks() {
    return AllChecks.IN_ORDER;
  }

  /** Begins a run. The backend itself is asked nothing before the first check needs it. */
  public static Conformance open(Subject subject) {
    return new Conformance(new Session(subject));
  }

  /**
   * Runs every check.
   *
   * @param listener is told of each result as it comes
   */
  public static Report run(Subject subject, Consumer<Result> listener) {
    return run(subject, _ -> true, listener);
  }

  /** Runs some checks. */
  public static Report run(Subject subject, Predicate<Check> which, Consumer<Result> listener) {
    List<Result> results = new ArrayList<>();
    Conformance conformance = open(subject);
    try (conformance) {
      for (Check check : checks()) {
        if (which.test(check)) {
          Result result = conformance.run(check);
          results.add(result);
          listener.accept(result);
        }
      }
    }
    return new Report(subject.type().name(), results, conformance.problems());
  }

  /** Runs one check. Never throws for what a backend does. */
  public Result run(Check check) {
    Outcome outcome = judged(check, outcome(check));
    return new Result(check, outcome);
  }

  /** What could not be given back so far, a sentence each. */
  public List<String> problems() {
    return session.cleaningProblems().stream().map(this::masked).toList();
  }

  /** Gives back what is left of the run, and closes the backend. */
  @Override
  public void close() {
    session.close();
  }

  private Outcome outcome(Check check) {
    FutureTask<Outcome> ended = new FutureTask<>(() -> tried(check));
    Thread thread = Thread.ofVirtual().name("check-" + check.name()).start(ended);
    try {
      return ended.get(session.subject().limits().check().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      return new Outcome.Failed(
          "a call did not return within %s: none may wait for minutes"
              .formatted(Waiting.words(session.subject().limits().check())));
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return new Outcome.Failed("the run was interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException("the kit itself failed in " + check.name(), e);
    }
  }

  /** Whatever a backend throws, an error too, is a result and not the end of the run. */
  private Outcome tried(Check check) {
    Trial trial = new Trial(session);
    String advice = "";
    try {
      Optional<String> idle =
          check.parts().isEmpty() && check.uses() == null && check.refuses() == null
              ? Optional.empty()
              : check.idle(trial);
      if (idle.isPresent()) {
        return new Outcome.NotNeeded(idle.get());
      }
      advice = advice(check);
      check.body().run(trial);
      return check.refuses() == null ? new Outcome.Passed() : new Outcome.Refused();
    } catch (NotApplicable e) {
      return new Outcome.NotNeeded(String.valueOf(e.getMessage()));
    } catch (CheckFailure e) {
      return new Outcome.Failed(masked(String.valueOf(e.getMessage())));
    } catch (Throwable e) {
      return new Outcome.Failed(masked(unexpected(check, e) + advice));
    } finally {
      trial.cleanUp();
    }
  }

  /** How an author who does not want to implement something says so. */
  private String advice(Check check) {
    Trait trait = check.uses();
    return trait == null || session.traits().base().given().contains(trait)
        ? ""
        : " Implement it, or opt out with traits().without(" + trait + ").";
  }

  private static String unexpected(Check check, Throwable thrown) {
    return "%s%s. What must hold: %s"
        .formatted(Expect.words(thrown), thrower(thrown), check.sentence());
  }

  /** The method of the backend that threw, which is what an author looks for. */
  private static String thrower(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      String name = frame.getClassName();
      if (name.startsWith("dev.berth.testkit.checks.") || name.equals(Waiting.class.getName())) {
        return "";
      }
      if (!name.startsWith("java.") && !name.startsWith("jdk.")) {
        return " in " + name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName();
      }
    }
    return "";
  }

  /** Known deviations name exact messages, so no message may hold what is new in each run. */
  private String masked(String message) {
    return TIME.matcher(message.replaceAll(session.subject().runId() + "(-[0-9]+)?", "RUN"))
        .replaceAll("TIME");
  }

  private Outcome judged(Check check, Outcome outcome) {
    Optional<Deviation> known =
        Stream.concat(
                session.subject().deviations().stream(),
                session.subject().type().deviations().stream())
            .filter(deviation -> deviation.check().equals(check.name()))
            .findFirst();
    if (known.isEmpty()) {
      return outcome;
    }
    Deviation deviation = known.get();
    return switch (outcome) {
      case Outcome.Failed(String message) when message.equals(deviation.message()) ->
          new Outcome.Deviated(message, deviation.reason());
      case Outcome.Failed(String message) ->
          new Outcome.Failed(
              "it fails in another way than the known deviation says: "
                  + message
                  + " (known: "
                  + deviation.message()
                  + ")");
      case Outcome.Passed _, Outcome.Refused _, Outcome.NotNeeded _, Outcome.Deviated _ ->
          new Outcome.Failed(
              "it does not fail any more: take the known deviation out of the subject, or out of"
                  + " deviations() of the type");
    };
  }
}
