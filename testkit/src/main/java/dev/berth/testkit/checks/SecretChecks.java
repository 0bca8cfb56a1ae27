package dev.berth.testkit.checks;

import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.Secret;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.CheckFailure;
import dev.berth.testkit.ConfiguredSubject;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What must not be seen. */
final class SecretChecks {
  private static final String PASSWORD = "kit-registry-password-9d1c";

  static final List<Check> ALL =
      List.of(
          check(
              "secret-settings-are-typed",
              "Settings that are secret have the type Secret, which does not print itself.",
              SecretChecks::typed),
          check(
              "secrets-not-in-errors",
              "No error holds a secret of the configuration, nor does its cause.",
              SecretChecks::errors),
          check(
                  "secrets-not-in-what-is-shown",
                  "No tag, detail or data of a thing holds a secret of the configuration.",
                  SecretChecks::shown)
              .needing(Part.THINGS),
          check(
              "secrets-not-in-words",
              "An opened backend that is printed shows no secret.",
              SecretChecks::printed),
          check(
                  "registry-password-not-shown",
                  "The password of a registry is in no output, state or error of a job.",
                  SecretChecks::registry)
              .needing(Part.JOBS)
              .using(Trait.IMAGES));

  private SecretChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.SECRETS, name, sentence, body);
  }

  private static void typed(Trial trial) {
    List<String> open = Settings.openSecrets(trial.subject().type());
    Expect.that(open.isEmpty(), "give the setting %s the type Secret".formatted(open));
  }

  private static void hidden(List<String> secrets, String text, String where) {
    for (String secret : secrets) {
      Expect.that(!text.contains(secret), "a secret stands in %s: leave it out".formatted(where));
    }
  }

  private static void errors(Trial trial) {
    ConfiguredSubject<?> refused = trial.refusedType();
    List<String> secrets = refused.secrets();
    hidden(secrets, trace(() -> refused.check(trial.apart("check"))), "an error of check()");
    try (Compute compute = refused.open(trial.apart("refused"))) {
      String calls =
          trace(
              () -> {
                compute.provisioner().ifPresent(things -> things.list(trial.owner()));
                compute.runtime().ifPresent(runtime -> runtime.list(trial.owner()));
              });
      hidden(secrets, calls, "an error of list()");
    }
  }

  /** What a call throws, with all its causes. */
  private static String trace(Runnable call) {
    try {
      call.run();
      return "";
    } catch (BackendException e) {
      StringWriter text = new StringWriter();
      e.printStackTrace(new PrintWriter(text));
      return text.toString();
    }
  }

  private static void shown(Trial trial) {
    List<String> secrets = trial.type().secrets();
    Found found = trial.things().create(trial.things().sample(trial.key()));
    hidden(secrets, found.toString(), "what create() answers");
    hidden(secrets, trial.things().awaitReady(found.ref()).toString(), "what describe() shows");
    trial
        .things()
        .provisioner()
        .list(trial.owner())
        .found()
        .forEach(listed -> hidden(secrets, listed.toString(), "what list() shows"));
  }

  private static void printed(Trial trial) {
    List<String> secrets = trial.type().secrets();
    hidden(secrets, trial.type().config().toString(), "toString() of the configuration");
    hidden(secrets, trial.compute().toString(), "toString() of the opened backend");
  }

  private static void registry(Trial trial) {
    Container container =
        trial.jobs().container().withRegistry(new Container.Registry("kit", Secret.of(PASSWORD)));
    JobRequest request = trial.jobs().request("echo pulled").in(container);
    List<String> secrets = List.of(PASSWORD);
    try {
      trial.jobs().start(request);
    } catch (BackendException.Unsupported e) {
      throw new CheckFailure("take registry credentials: IMAGES come from private registries", e);
    } catch (BackendException e) {
      // A provider may look at once whether the credentials are right; these are not.
      hidden(secrets, trace(() -> rethrow(e)), "an error of start()");
      return;
    }
    hidden(secrets, trial.jobs().awaitEnd(request.attemptId()).toString(), "the job's end");
    JobRuntime runtime = trial.jobs().runtime();
    hidden(secrets, runtime.describe(request.attemptId()).toString(), "what describe() shows");
    hidden(
        secrets,
        trial.jobs().output(request.attemptId(), JobRuntime.Stream.STDOUT)
            + trial.jobs().output(request.attemptId(), JobRuntime.Stream.STDERR),
        "the job's output");
  }

  private static void rethrow(BackendException e) {
    throw e;
  }
}
