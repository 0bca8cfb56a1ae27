package dev.berth.hosts.jobdir;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a job ended, as one line: {@code code reason epoch-milliseconds}, with {@code -} for a job
 * that never ran.
 */
public record ExitRecord(OptionalInt code, ExitReason reason, Instant endedAt) {

  public static ExitRecord neverRan(ExitReason reason, Instant at) {
    return new ExitRecord(OptionalInt.empty(), reason, at);
  }

  /** Empty when the line is not whole, as after a power failure. */
  static Optional<ExitRecord> parse(String line) {
    String[] words = line.strip().split(" ");
    if (words.length != 3
        || !words[0].matches("-|[0-9]{1,9}")
        || !words[2].matches("[0-9]{1,14}")) {
      return Optional.empty();
    }
    OptionalInt code =
        words[0].equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(words[0]));
    return ExitReason.find(words[1])
        .map(
            reason -> new ExitRecord(code, reason, Instant.ofEpochMilli(Long.parseLong(words[2]))));
  }

  public String line() {
    String number = code.isPresent() ? String.valueOf(code.getAsInt()) : "-";
    return "%s %s %d\n".formatted(number, reason.word(), endedAt.toEpochMilli());
  }

  /** What a stop before the start writes in place of a runner's claim. */
  String asRefusal() {
    return "refused " + reason.word() + " " + endedAt.toEpochMilli() + "\n";
  }

  static Optional<ExitRecord> parseRefusal(String claim) {
    return claim.startsWith("refused ")
        ? parse("-" + claim.substring("refused".length()))
        : Optional.empty();
  }
}
