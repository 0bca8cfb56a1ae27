package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.spec.RunSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is left out of a specification is as if the file had not said it. */
final class RelaxationTest {
  private static Set<Constraint> some(Set<Constraint> asked, Random random) {
    Set<Constraint> some = EnumSet.noneOf(Constraint.class);
    for (Constraint constraint : asked) {
      if (random.nextInt(3) == 0) {
        some.add(constraint);
      }
    }
    return some;
  }

  /** Sometimes of groups, which have resources of their own. */
  private static TaskConfiguration task(long seed, Random random) {
    TaskConfiguration task = new RandomWorld(seed).task();
    if (random.nextInt(4) > 0) {
      return task;
    }
    ResourcesSpec other = new RandomWorld(seed + 1_000_000).task().run().resources();
    return new TaskConfiguration(
        task.run(),
        task.profile(),
        List.of(),
        List.of(),
        null,
        List.of(
            new NodeGroup("a", 2, task.run().resources(), List.of("true"), List.of()),
            new NodeGroup("b", 1, other, List.of("true"), List.of())));
  }

  @Test
  void aRunWithoutSomethingIsThatOfAFileWithoutIt() {
    Set<Constraint> left = EnumSet.noneOf(Constraint.class);
    for (long seed = 1; seed <= 5_000; seed++) {
      Random random = new Random(seed);
      TaskConfiguration task = task(seed, random);
      RunSpec run = RandomWorld.spec(task);
      Set<Constraint> without = some(Constraint.of(run), random);
      left.addAll(without);
      assertThat(Relaxation.of(run, without))
          .as("seed %d without %s", seed, without)
          .isEqualTo(RandomWorld.spec(ConfigurationRelaxation.of(task, without)));
    }
    assertThat(left).containsExactlyInAnyOrder(Constraint.values());
  }

  @Test
  void aRunWithoutAllThatItAsksForAsksForNothing() {
    for (long seed = 1; seed <= 500; seed++) {
      RunSpec run = RandomWorld.spec(task(seed, new Random(seed)));
      assertThat(Constraint.of(Relaxation.of(run, Constraint.of(run))))
          .as("seed %d", seed)
          .isEmpty();
    }
  }
}
