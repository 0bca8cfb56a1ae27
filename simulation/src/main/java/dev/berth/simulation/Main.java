package dev.berth.simulation;

import dev.berth.simulation.plan.Choice;
import dev.berth.simulation.plan.Generator;
import java.io.PrintStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The development command {@code ./berth simulate}. */
public final class Main {
  private static final int USAGE = 64;
  private static final int VIOLATED = 1;
  private static final int MOST_LIVES_OF_THE_MINIMISER = 400;
  private static final long PROGRESS_EVERY = Duration.ofSeconds(5).toNanos();

  private final PrintStream out;
  private final long started = System.nanoTime();
  private long told = started;
  private long lived;
  private long steps;

  private Main(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] words) {
    SilentLogs.begin();
    System.exit(run(List.of(words), System.out, System.err));
  }

  static int run(List<String> words, PrintStream out, PrintStream err) {
    Arguments arguments;
    try {
      arguments = Arguments.read(words);
    } catch (IllegalArgumentException e) {
      err.println("berth simulate: " + e.getMessage());
      return USAGE;
    }
    return new Main(out).run(arguments);
  }

  private int run(Arguments arguments) {
    Set<Choice> choices = EnumSet.noneOf(Choice.class);
    choices.addAll(Choice.today());
    choices.addAll(arguments.more());
    Seeds seeds =
        Seeds.today().of(new Generator(choices, arguments.servers())).on(arguments.storage());
    Optional<Outcome> violated =
        seeds.firstViolation(arguments.from(), arguments.seeds(), this::tell);
    out.println(progress());
    if (violated.isEmpty()) {
      return 0;
    }
    Outcome whole = violated.get();
    out.println(whole.report());
    out.println();
    out.println("The shortest plan that goes wrong in the same way:");
    Outcome shortest = new Minimiser(seeds::live, MOST_LIVES_OF_THE_MINIMISER).minimise(whole);
    out.println(Minimiser.describe(shortest.plan()));
    out.println(shortest.report());
    out.println();
    out.println("Again: " + arguments.replay(whole.plan().seed()));
    return VIOLATED;
  }

  private void tell(Outcome outcome) {
    lived++;
    steps += outcome.steps();
    if (System.nanoTime() - told > PROGRESS_EVERY) {
      told = System.nanoTime();
      out.println(progress());
    }
  }

  private String progress() {
    double seconds = (System.nanoTime() - started) / 1e9;
    return "%d seeds, %d steps, %.1f seeds/s".formatted(lived, steps, lived / seconds);
  }
}
