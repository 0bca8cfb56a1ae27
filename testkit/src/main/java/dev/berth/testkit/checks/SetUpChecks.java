package dev.berth.testkit.checks;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.Owner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.config.ConfigProblem;
import dev.berth.spi.config.PartialConfig;
import dev.berth.spi.config.Suggestion;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.ConfiguredSubject;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Map;

/** How a backend is set up, step by step. */
final class SetUpChecks {
  static final List<Check> ALL =
      List.of(
          check(
              "check-accepts-the-configuration",
              "check() is silent for a configuration that the provider accepts.",
              trial -> trial.type().check(trial.apart("check"))),
          check(
              "check-refuses-wrong-credentials",
              "check() asks the provider with the credentials, and says by the path of which field"
                  + " they are wrong.",
              SetUpChecks::refuses),
          check(
                  "check-changes-nothing",
                  "check() makes nothing at the provider.",
                  SetUpChecks::changesNothing)
              .needing(Part.THINGS),
          check(
              "suggest-names-settings",
              "suggest() offers values, each with a label, for settings that there are.",
              SetUpChecks::suggests),
          check(
              "suggest-works-with-nothing",
              "suggest() is silent about what it cannot know, also when nothing is filled in.",
              SetUpChecks::suggestsNothing),
          check(
              "prepare-twice-same-extras",
              "prepare() finds what it made before, with and without its extras in the context.",
              SetUpChecks::prepares),
          check(
              "undo-twice-is-silent",
              "undo() takes back what prepare() made, and is silent where nothing is there.",
              SetUpChecks::undoes));

  private SetUpChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CONFIG, name, sentence, body);
  }

  private static void refuses(Trial trial) {
    ConfiguredSubject<?> refused = trial.refusedType();
    BackendException refusal =
        Expect.thrown(
            () -> refused.check(trial.apart("check")),
            "check() must ask the provider with the credentials, and refuse wrong ones",
            BackendException.BadConfig.class);
    if (refusal instanceof BackendException.BadConfig bad) {
      for (ConfigProblem problem : bad.problems()) {
        Expect.that(
            !problem.path().isEmpty() && Settings.knows(trial.subject().type(), problem.path()),
            "check() names the path '%s', which is no setting: name the field that is wrong"
                .formatted(problem.path()));
      }
    }
  }

  private static void changesNothing(Trial trial) {
    Owner owner = trial.owner();
    List<String> before = ids(trial, owner);
    trial.type().check(trial.apart("check"));
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        before.containsAll(ids(trial, owner)),
        "check() made something that list() shows: it may only ask");
  }

  private static List<String> ids(Trial trial, Owner owner) {
    return trial.things().provisioner().list(owner).stream()
        .map(Found::ref)
        .map(ResourceRef::id)
        .toList();
  }

  private static void suggests(Trial trial) {
    for (Suggestion suggestion : trial.type().suggest(trial.apart("suggest"))) {
      Expect.that(
          Settings.knows(trial.subject().type(), suggestion.path()),
          "suggest() names '%s', which is no setting".formatted(suggestion.path()));
      for (Suggestion.Choice choice : suggestion.choices()) {
        Expect.that(
            !choice.value().isBlank() && !choice.label().isBlank(),
            "suggest() gives a choice for '%s' without a value or a label"
                .formatted(suggestion.path()));
      }
    }
  }

  private static void suggestsNothing(Trial trial) {
    Expect.silent(
        () -> trial.subject().type().suggest(new PartialConfig(Map.of()), trial.apart("suggest")),
        "suggest() must work with a configuration in which nothing is filled in");
  }

  private static void prepares(Trial trial) {
    BackendContext context = trial.apart("prepare");
    Map<String, String> first = trial.type().prepare(context);
    try {
      Expect.same(
          first,
          trial.type().prepare(context.with(first)),
          "prepare() with its own extras in the context must find what is there");
      Expect.same(
          first,
          trial.type().prepare(context),
          "prepare() after a crash, so without its extras, must find what is there");
    } finally {
      trial.type().undo(context.with(first));
    }
  }

  private static void undoes(Trial trial) {
    BackendContext context = trial.apart("undo");
    BackendContext extended = context.with(trial.type().prepare(context));
    Expect.silent(() -> trial.type().undo(extended), "undo() must take back what was made");
    Expect.silent(
        () -> trial.type().undo(extended), "undo() must be silent where nothing is there");
    Expect.silent(
        () -> trial.type().undo(trial.apart("undo-nothing")),
        "undo() must be silent where nothing was ever made");
  }
}
