package dev.berth.model.spec;

import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the addresses of nodes into commands that ask for them. */
public final class NodeAddresses {
  private static final Pattern OF_GROUP =
      Pattern.compile("\\$\\{\\{\\s*groups\\[(\\d{1,6})]\\.nodes\\[(\\d{1,6})]\\.IP_ADDRESS\\s*}}");

  /** What users cannot write, because they name nodes by their groups. */
  private static final Pattern OF_RANK =
      Pattern.compile("\\$\\{\\{ rank\\[(\\d{1,6})]\\.IP_ADDRESS }}");

  private NodeAddresses() {}

  /**
   * Names nodes by their ranks, so that later nobody has to know the groups. What names no node
   * stays as it is written.
   *
   * @param groups how many nodes each group has
   */
  public static List<String> byRank(List<String> commands, List<Integer> groups) {
    return replaced(commands, OF_GROUP, found -> rank(found, groups));
  }

  private static String rank(MatchResult found, List<Integer> groups) {
    int group = Integer.parseInt(found.group(1));
    int node = Integer.parseInt(found.group(2));
    if (group >= groups.size() || node >= groups.get(group)) {
      return found.group();
    }
    int first = groups.stream().limit(group).mapToInt(Integer::intValue).sum();
    return "${{ rank[" + (first + node) + "].IP_ADDRESS }}";
  }

  /** The commands with the addresses of all nodes, by rank. */
  public static List<String> filledIn(List<String> commands, List<String> addresses) {
    return replaced(commands, OF_RANK, found -> addresses.get(Integer.parseInt(found.group(1))));
  }

  private static List<String> replaced(
      List<String> commands, Pattern pattern, Function<MatchResult, String> by) {
    return commands.stream()
        .map(
            command ->
                pattern
                    .matcher(command)
                    .replaceAll(found -> Matcher.quoteReplacement(by.apply(found))))
        .toList();
  }
}
