package dev.berth.backends.sim;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of a job do, and when, counted from its start. Understands {@code echo}, {@code
 * sleep}, {@code seq}, {@code exit}, {@code true}, {@code false} and {@code trap '' TERM}; anything
 * else says its name and takes a while. Pure.
 */
final class Script {
  private static final Duration FOR_EVER = Duration.ofDays(3650);
  private static final String TO_ERRORS = ">&2";
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,9})?");

  private final List<List<String>> commands;
  private final Duration commandTime;

  private Script(List<List<String>> commands, Duration commandTime) {
    this.commands = commands;
    this.commandTime = commandTime;
  }

  /**
   * The script of some commands.
   *
   * @param commandTime how long a command takes that is not known
   */
  static Script of(List<List<String>> commands, Duration commandTime) {
    return new Script(commands, commandTime);
  }

  /** How long it takes when nobody ends it. */
  Duration length() {
    Duration at = Duration.ZERO;
    for (List<String> command : commands) {
      if (command.getFirst().equals("exit")) {
        return at;
      }
      at = at.plus(time(command));
    }
    return at;
  }

  /** The exit code: that of {@code exit}, or of the last command. */
  int code() {
    int code = 0;
    for (List<String> command : commands) {
      switch (command.getFirst()) {
        case "exit" -> {
          return command.size() < 2 ? code : (int) (whole(command.get(1)).orElse(2L) & 0xFF);
        }
        case "false" -> code = 1;
        default -> code = 0;
      }
    }
    return code;
  }

  /** How long after its start it does not care about TERM any more; empty for never. */
  Optional<Duration> deafAfter() {
    Duration at = Duration.ZERO;
    for (List<String> command : commands) {
      if (command.getFirst().equals("exit")) {
        return Optional.empty();
      }
      if (command.getFirst().equals("trap")
          && command.size() > 2
          && command.get(1).isEmpty()
          && command.contains("TERM")) {
        return Optional.of(at);
      }
      at = at.plus(time(command));
    }
    return Optional.empty();
  }

  /** What it has written to one of its streams at a time after its start. */
  byte[] output(boolean errors, Duration time) {
    StringBuilder written = new StringBuilder();
    Duration at = Duration.ZERO;
    for (List<String> command : commands) {
      if (at.compareTo(time) > 0 || command.getFirst().equals("exit")) {
        break;
      }
      if (toErrors(command) == errors) {
        print(command, written);
      }
      at = at.plus(time(command));
    }
    return written.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean toErrors(List<String> command) {
    return command.getLast().equals(TO_ERRORS);
  }

  private static void print(List<String> command, StringBuilder written) {
    List<String> words = toErrors(command) ? command.subList(0, command.size() - 1) : command;
    switch (words.isEmpty() ? "" : words.getFirst()) {
      case "", "sleep", "trap", "true", "false" -> {}
      case "echo" -> written.append(String.join(" ", words.subList(1, words.size()))).append('\n');
      case "seq" -> count(words, written);
      default -> written.append("sim: ").append(String.join(" ", words)).append('\n');
    }
  }

  private static void count(List<String> words, StringBuilder written) {
    long first = words.size() > 2 ? whole(words.get(1)).orElse(1L) : 1;
    long last = words.size() > 1 ? whole(words.getLast()).orElse(0L) : 0;
    for (long number = first; number <= last; number++) {
      written.append(number).append('\n');
    }
  }

  private Duration time(List<String> command) {
    return switch (command.getFirst()) {
      case "echo", "seq", "trap", "true", "false" -> Duration.ZERO;
      case "sleep" ->
          command.stream().skip(1).map(Script::pause).reduce(Duration.ZERO, Duration::plus);
      default -> commandTime;
    };
  }

  private static Duration pause(String word) {
    if (word.equals("infinity")) {
      return FOR_EVER;
    }
    long unit =
        switch (word.isEmpty() ? ' ' : word.charAt(word.length() - 1)) {
          case 'm' -> 60;
          case 'h' -> 3600;
          case 'd' -> 86400;
          default -> 1;
        };
    @Nullable BigDecimal seconds = number(word.replaceFirst("[smhd]$", ""));
    if (seconds == null) {
      return Duration.ZERO;
    }
    BigDecimal nanos = seconds.multiply(BigDecimal.valueOf(unit)).movePointRight(9);
    BigDecimal most = BigDecimal.valueOf(FOR_EVER.toNanos());
    return Duration.ofNanos(nanos.max(BigDecimal.ZERO).min(most).longValue());
  }

  private static Optional<Long> whole(String word) {
    return Optional.ofNullable(number(word)).map(BigDecimal::longValue);
  }

  private static @Nullable BigDecimal number(String word) {
    return NUMBER.matcher(word).matches() ? new BigDecimal(word) : null;
  }
}
