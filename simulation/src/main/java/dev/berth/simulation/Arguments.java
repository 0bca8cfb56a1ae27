package dev.berth.simulation;

import dev.berth.simulation.plan.Choice;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the command was asked to do. */
record Arguments(long seeds, long from, Storage storage, int servers, Set<Choice> more) {
  static final String USAGE =
      "usage: berth simulate --seeds N [--from S] [--sqlite] [--servers 1|2] [--also CHOICE]...";

  Arguments {
    EnumSet<Choice> copy = EnumSet.noneOf(Choice.class);
    copy.addAll(more);
    more = copy;
  }

  /**
   * Reads the words after the command.
   *
   * @throws IllegalArgumentException with a sentence for whoever wrote them
   */
  static Arguments read(List<String> words) {
    long seeds = -1;
    long from = 1;
    Storage storage = Storage.MEMORY;
    int servers = 2;
    Set<Choice> more = EnumSet.noneOf(Choice.class);
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "--seeds" -> seeds = number(word, rest);
        case "--from" -> from = number(word, rest);
        case "--sqlite" -> storage = Storage.SQLITE;
        case "--servers" -> servers = (int) number(word, rest);
        case "--also" -> more.add(choice(value(word, rest)));
        default -> throw new IllegalArgumentException("'" + word + "' is not known. " + USAGE);
      }
    }
    if (seeds < 1) {
      throw new IllegalArgumentException("--seeds says how many lives there shall be. " + USAGE);
    }
    if (servers < 1 || servers > 2) {
      throw new IllegalArgumentException("--servers is 1 or 2, not " + servers + ". " + USAGE);
    }
    return new Arguments(seeds, from, storage, servers, more);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value. " + USAGE);
    }
    return rest.next();
  }

  private static long number(String option, Iterator<String> rest) {
    String word = value(option, rest);
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " is a number, not '" + word + "'. " + USAGE, e);
    }
  }

  private static Choice choice(String word) {
    return Arrays.stream(Choice.values())
        .filter(choice -> choice.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--also is one of "
                        + String.join(
                            ", ", Arrays.stream(Choice.values()).map(Choice::word).toList())
                        + ", not '"
                        + word.toLowerCase(Locale.ROOT)
                        + "'."));
  }

  /** The command that lives one of the seeds again. */
  String replay(long seed) {
    StringBuilder command = new StringBuilder("./berth simulate --seeds 1 --from " + seed);
    if (storage == Storage.SQLITE) {
      command.append(" --sqlite");
    }
    command.append(" --servers ").append(servers);
    more.forEach(choice -> command.append(" --also ").append(choice.word()));
    return command.toString();
  }
}
