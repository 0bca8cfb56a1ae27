package dev.berth.testkit.checks;

import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.spi.config.ConfigPage;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Trial;
import java.util.EnumSet;
import java.util.List;

/** What a type says of itself, and whether what it opens is of that type. */
final class ConfigChecks {
  static final List<Check> ALL =
      List.of(
          check(
              "type-has-a-name",
              "name() is the word that users write: lower case letters, digits and dashes.",
              ConfigChecks::name),
          check(
              "type-has-a-summary",
              "summary() says in one sentence what the backend is.",
              ConfigChecks::summary),
          check(
              "settings-are-described",
              "Every component of the config() record has a @Setting that says what it is for.",
              ConfigChecks::described),
          check(
              "config-is-read",
              "The configuration can be read into the config() record.",
              trial -> trial.type().config()),
          check(
              "open-says-the-same-twice",
              "traits(), identity() and reach() are the same however often the backend is opened.",
              ConfigChecks::sameTwice),
          check(
              "traits-are-those-of-the-type",
              "An opened backend has no trait besides those of its type's traits().",
              ConfigChecks::traits),
          check(
              "base-has-its-part",
              "MACHINES give provisioner(), CONTAINERS give runtime(), HOSTS give both runtime()"
                  + " and ownMachines().",
              ConfigChecks::parts),
          check(
              "close-twice-is-silent",
              "close() lets go of connections and threads, and may be called again.",
              ConfigChecks::close));

  private ConfigChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CONFIG, name, sentence, body);
  }

  private static void name(Trial trial) {
    String name = trial.subject().type().name();
    Expect.that(
        name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*"),
        "name() is '%s': use lower case letters, digits and dashes".formatted(name));
  }

  private static void summary(Trial trial) {
    String summary = trial.subject().type().summary();
    Expect.that(
        summary.strip().contains(" ") && !summary.contains("\n"),
        "summary() is '%s': say in one sentence what the backend is".formatted(summary));
  }

  private static void described(Trial trial) {
    BackendType<?> type = trial.subject().type();
    List<String> silent = Settings.undescribed(type);
    Expect.that(
        silent.isEmpty(), "write a @Setting for %s that says what it is for".formatted(silent));
    Expect.that(ConfigPage.of(type).contains(type.name()), "the documentation page cannot be made");
  }

  private static void sameTwice(Trial trial) {
    Compute first = trial.compute();
    Compute second = trial.reopened();
    Expect.same(first.traits(), second.traits(), "traits() of the same backend, opened again");
    Expect.same(
        first.identity(), second.identity(), "identity() of the same backend, opened again");
    Expect.same(first.reach(), second.reach(), "reach() of the same backend, opened again");
  }

  private static void traits(Trial trial) {
    Traits most = trial.subject().type().traits();
    Traits opened = trial.traits();
    EnumSet<Trait> more = EnumSet.noneOf(Trait.class);
    more.addAll(opened.all());
    more.removeAll(most.all());
    Expect.that(
        more.isEmpty(),
        "the opened backend has %s, which its type's traits() has not: declare it there"
            .formatted(more));
  }

  private static void parts(Trial trial) {
    Compute compute = trial.compute();
    switch (compute.traits().base()) {
      case MACHINES ->
          Expect.that(
              compute.provisioner().isPresent(),
              "implement provisioner(): a backend of MACHINES makes machines");
      case CONTAINERS ->
          Expect.that(
              compute.runtime().isPresent(),
              "implement runtime(): a backend of CONTAINERS runs jobs itself");
      case HOSTS ->
          Expect.that(
              compute.runtime().isPresent() && !compute.ownMachines().isEmpty(),
              "implement runtime() and ownMachines(): a backend of HOSTS runs jobs on machines that"
                  + " are there");
    }
  }

  private static void close(Trial trial) {
    Compute another = trial.reopened();
    Expect.silent(another::close, "close() must be silent");
    Expect.silent(another::close, "close() must be silent the second time too");
  }
}
