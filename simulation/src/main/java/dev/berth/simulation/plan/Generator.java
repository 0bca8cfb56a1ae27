package dev.berth.simulation.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Draws plans from seeds. */
public final class Generator {
  private static final int MOST_SERVERS = 2;

  private final Set<Choice> choices;
  private final int servers;

  /**
   * A generator of certain kinds of plans.
   *
   * @param choices what may be drawn
   * @param servers 1 where no second one ever takes over, otherwise 2
   */
  public Generator(Set<Choice> choices, int servers) {
    if (servers < 1 || servers > MOST_SERVERS) {
      throw new IllegalArgumentException("there are one or two servers, not " + servers);
    }
    EnumSet<Choice> drawn = EnumSet.noneOf(Choice.class);
    drawn.addAll(choices);
    if (servers == 1) {
      drawn.remove(Choice.TAKE_OVERS);
    }
    this.choices = drawn;
    this.servers = servers;
  }

  /** Everything that must go well today, with two servers. */
  public static Generator today() {
    return new Generator(Choice.today(), MOST_SERVERS);
  }

  public int servers() {
    return servers;
  }

  public Plan plan(long seed) {
    LateAnswers late = new LateAnswers(seed, choices);
    List<CloudPlan> clouds =
        late.draw(jobsByBerth(seed, new Clouds(Dice.of(seed, "clouds"), choices).draw()));
    List<Trouble> troubles = new ArrayList<>(troubles(Dice.of(seed, "troubles")));
    troubles.addAll(late.troubles());
    Dice dice = Dice.of(seed, "host");
    HostPlan host =
        new HostPlan(
            "host",
            dice.between(1, 4),
            dice.between(2, 8),
            dice.next(),
            dice.chance(0.5) ? dice.share(0, 0.3) : 0,
            dice.chance(0.3) ? dice.share(0, 0.3) : 0);
    List<String> backends = new ArrayList<>(clouds.stream().map(CloudPlan::name).toList());
    backends.add(host.name());
    return new Plan(
        seed,
        clouds,
        host,
        new Workload(Dice.of(seed, "work"), backends, choices).draw(),
        troubles,
        choices.contains(Choice.LATE_CALLS),
        rest(Dice.of(seed, "rest")));
  }

  /** By dice of their own, so that everything else is as it was before there was this choice. */
  private List<CloudPlan> jobsByBerth(long seed, List<CloudPlan> clouds) {
    Dice dice = Dice.of(seed, "jobs by berth");
    return clouds.stream()
        .map(
            cloud ->
                dice.chance(0.5) && has(Choice.JOBS_BY_BERTH) && cloud.gives().equals("machines")
                    ? cloud.withJobsByBerth()
                    : cloud)
        .toList();
  }

  /** Mostly short; sometimes as long as it takes until what is not noticed counts as unnoticed. */
  private static Duration rest(Dice dice) {
    return dice.chance(0.8) ? Duration.ofMinutes(2) : Duration.ofMinutes(dice.between(6, 12));
  }

  private List<Trouble> troubles(Dice dice) {
    List<Trouble> troubles = new ArrayList<>();
    // Some lives are calm, so that what goes wrong without any trouble is seen by itself.
    int busy = dice.chance(0.1) ? 0 : 1;
    for (int i = busy * dice.between(0, 3); i > 0 && has(Choice.CRASHES); i--) {
      troubles.add(
          new Trouble.Crash(
              dice.between(1, 600),
              dice.oneOf(List.of(Trouble.Where.values())),
              dice.mostlyShort(Duration.ofMinutes(2))));
    }
    for (int i = busy * dice.between(0, 2); i > 0 && has(Choice.CRASHES); i--) {
      troubles.add(
          new Trouble.CrashWithCall(
              dice.between(1, 20),
              dice.mostlyShort(Duration.ofMinutes(1)),
              dice.mostlyShort(Duration.ofSeconds(20))));
    }
    for (int i = busy * dice.between(0, 2); i > 0 && has(Choice.TAKE_OVERS); i--) {
      troubles.add(new Trouble.TakeOver(dice.between(1, 600)));
    }
    for (int i = busy * dice.between(0, 4); i > 0 && has(Choice.FAILED_COMMITS); i--) {
      troubles.add(
          new Trouble.FailedCommit(
              dice.between(1, 60), dice.oneOf(List.of(Trouble.Fate.values()))));
    }
    for (int i = busy * dice.between(0, 6); i > 0; i--) {
      troubles.add(
          new Trouble.SlowCall(
              dice.between(1, 40),
              dice.mostlyShort(Duration.ofSeconds(40)),
              dice.mostlyShort(Duration.ofSeconds(20))));
    }
    for (int i = busy * dice.between(0, 2); i > 0 && has(Choice.SILENT_CALLS); i--) {
      troubles.add(
          new Trouble.SilentCall(
              dice.between(1, 40),
              dice.chance(0.5) ? Duration.ZERO : Duration.ofSeconds(dice.between(100, 400))));
    }
    for (int i = busy * dice.between(0, 6); i > 0; i--) {
      troubles.add(
          new Trouble.SlowWord(dice.between(1, 60), dice.mostlyShort(Duration.ofMinutes(1))));
    }
    for (int i = busy * dice.between(0, 6); i > 0; i--) {
      troubles.add(new Trouble.LostReply(dice.between(1, 25)));
    }
    return troubles;
  }

  private boolean has(Choice choice) {
    return choices.contains(choice);
  }
}
