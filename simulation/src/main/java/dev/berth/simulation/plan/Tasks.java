package dev.berth.simulation.plan;

import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Draws what the runs of a plan do, and how they are carried through. */
final class Tasks {
  private final Dice dice;
  private final List<String> backends;
  private final Set<Choice> choices;
  private final int fleets;

  /**
   * Tasks of one plan.
   *
   * @param fleets how many fleets there are to be used
   */
  Tasks(Dice dice, List<String> backends, Set<Choice> choices, int fleets) {
    this.dice = dice;
    this.backends = backends;
    this.choices = choices;
    this.fleets = fleets;
  }

  /** The task of the run of a number. */
  WorkStep.Task draw(int number) {
    return new WorkStep.Task(
        commands(),
        dice.chance(0.3) ? List.of() : List.of(dice.oneOf(backends)),
        dice.between(1, 4),
        dice.chance(0.2),
        dice.chance(0.2) ? dice.between(5, 60) : 0,
        dice.between(0, 60),
        terms(number));
  }

  /** One that many will ask for, where there is room for few. */
  WorkStep.Task alike() {
    return new WorkStep.Task(
        List.of("sleep " + dice.between(5, 60)),
        List.of(dice.chance(0.7) ? backends.getLast() : dice.oneOf(backends)),
        dice.between(1, 2),
        false,
        0,
        dice.between(0, 30),
        new WorkStep.Terms(List.of(), 0, 0, 0, WorkStep.Nodes.ONE, 0, 60, 0, 0));
  }

  private List<String> commands() {
    List<String> commands = new ArrayList<>();
    if (dice.chance(0.2)) {
      commands.add("trap '' TERM");
    }
    commands.add("sleep " + (dice.chance(0.25) ? "infinity" : dice.between(0, 120)));
    if (dice.chance(0.2)) {
      commands.add("exit " + dice.between(1, 5));
    }
    return commands;
  }

  private WorkStep.Terms terms(int number) {
    boolean tried = has(Choice.RETRIES, 0.3);
    return new WorkStep.Terms(
        tried ? events() : List.of(),
        tried ? dice.between(30, 600) : 0,
        has(Choice.PRIORITIES, 0.3) ? dice.between(0, 100) : 0,
        has(Choice.SCHEDULES, 0.08) ? dice.between(1, 3) : 0,
        has(Choice.GANGS, 0.2) ? nodes() : WorkStep.Nodes.ONE,
        has(Choice.PRICE_LIMITS, 0.15) ? dice.between(2, 40) / 100.0 : 0,
        dice.between(0, 300),
        fleets > 0 && dice.chance(0.4) ? dice.between(1, fleets) : 0,
        number > 1 && has(Choice.DEPENDENCIES, 0.15) ? dice.between(1, number - 1) : 0);
  }

  private boolean has(Choice choice, double probability) {
    return choices.contains(choice) && dice.chance(probability);
  }

  private List<RetryEvent> events() {
    List<RetryEvent> events = new ArrayList<>();
    for (RetryEvent event : RetryEvent.values()) {
      if (dice.chance(0.6)) {
        events.add(event);
      }
    }
    return events;
  }

  private WorkStep.Nodes nodes() {
    return new WorkStep.Nodes(
        dice.between(2, 3),
        dice.oneOf(List.of(StartupOrder.values())),
        dice.oneOf(List.of(StopCriteria.values())),
        has(Choice.NODE_GROUPS, 0.4) ? dice.between(5, 60) : 0);
  }
}
