package dev.berth.backends.sim;

import dev.berth.spi.BackendException;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.spi.config.ConfigProblem;
import java.util.ArrayList;
import java.util.List;

/** What a simulated cloud can do, by its configuration. Pure. */
final class SimTraits {
  private SimTraits() {}

  static Traits of(SimConfig config) {
    List<ConfigProblem> problems = problems(config);
    if (!problems.isEmpty()) {
      throw new BackendException.BadConfig(problems);
    }
    return Traits.of(base(config))
        .with(Trait.FILES, Trait.USAGE)
        .without(config.without().toArray(Trait[]::new));
  }

  /** What cannot be missing and shall be. */
  static List<ConfigProblem> problems(SimConfig config) {
    Traits.Base base = base(config);
    List<ConfigProblem> problems = new ArrayList<>();
    for (int i = 0; i < config.without().size(); i++) {
      Trait trait = config.without().get(i);
      if (base.given().contains(trait)) {
        problems.add(
            new ConfigProblem(
                "without[" + i + "]",
                "names %s, which machines have by themselves; leave it out, or write 'gives: containers'"
                    .formatted(trait.words())));
      }
    }
    return problems;
  }

  private static Traits.Base base(SimConfig config) {
    return switch (config.gives()) {
      case MACHINES -> Traits.Base.MACHINES;
      case CONTAINERS -> Traits.Base.CONTAINERS;
    };
  }
}
