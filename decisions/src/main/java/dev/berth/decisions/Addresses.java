package dev.berth.decisions;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the addresses of nodes into commands that ask for them. */
final class Addresses {
  private static final Pattern ASKED =
      Pattern.compile("\\$\\{\\{\\s*groups\\[(\\d{1,6})]\\.nodes\\[(\\d{1,6})]\\.IP_ADDRESS\\s*}}");

  private Addresses() {}

  /** Of a task whose nodes are alike: they are the first group. */
  static List<String> filledIn(List<String> commands, List<String> addresses) {
    return filledIn(commands, List.of(addresses.size()), addresses);
  }

  /**
   * What names no node stays as it is written.
   *
   * @param groups how many nodes each group has
   * @param addresses of all nodes, by rank
   */
  static List<String> filledIn(
      List<String> commands, List<Integer> groups, List<String> addresses) {
    return commands.stream()
        .map(
            command ->
                ASKED
                    .matcher(command)
                    .replaceAll(
                        found ->
                            Matcher.quoteReplacement(
                                address(
                                    Integer.parseInt(found.group(1)),
                                    Integer.parseInt(found.group(2)),
                                    groups,
                                    addresses,
                                    found.group()))))
        .toList();
  }

  private static String address(
      int group, int node, List<Integer> groups, List<String> addresses, String otherwise) {
    if (group >= groups.size() || node >= groups.get(group)) {
      return otherwise;
    }
    int first = groups.stream().limit(group).mapToInt(Integer::intValue).sum();
    return addresses.get(first + node);
  }
}
