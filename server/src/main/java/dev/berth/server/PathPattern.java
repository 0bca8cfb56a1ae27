package dev.berth.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The path of a route, whose parts in braces stand for anything. */
record PathPattern(String path) {
  /** The parts that have names, decoded; empty where the path is another one. */
  Optional<Map<String, String>> match(String asked) {
    String[] wanted = path.split("/", -1);
    String[] given = asked.split("/", -1);
    if (wanted.length != given.length) {
      return Optional.empty();
    }
    Map<String, String> parts = new HashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        if (given[i].isEmpty()) {
          return Optional.empty();
        }
        parts.put(wanted[i].substring(1, wanted[i].length() - 1), decoded(given[i]));
      } else if (!wanted[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(parts);
  }

  private static String decoded(String part) {
    // A plus sign in a path is one.
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
