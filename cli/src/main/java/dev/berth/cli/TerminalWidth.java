package dev.berth.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many columns the terminal has. */
final class TerminalWidth {
  /** What every terminal has, and what is taken where nobody knows. */
  static final int USUAL = 80;

  private static final int ANSWER_SECONDS = 1;
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,4}");
  private static final Pattern SIZE = Pattern.compile("[0-9]{1,5} ([1-9][0-9]{0,4})\\s*");

  private TerminalWidth() {}

  /** Without a terminal, as in a pipe, lines may have any length. */
  @SuppressWarnings("SystemConsoleNull") // it is, with the console that the launcher chooses
  static int find() {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      return Integer.MAX_VALUE;
    }
    return Math.max(USUAL, fromEnvironment(System.getenv()).orElseGet(TerminalWidth::ask));
  }

  static OptionalInt fromEnvironment(Map<String, String> environment) {
    String columns = environment.getOrDefault("COLUMNS", "");
    return NUMBER.matcher(columns).matches()
        ? OptionalInt.of(Integer.parseInt(columns))
        : OptionalInt.empty();
  }

  /** What stty says of the terminal that is our standard input. */
  private static int ask() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return stty.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)
            ? parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            : USUAL;
      } finally {
        stty.destroyForcibly();
      }
    } catch (IOException e) {
      System.getLogger(TerminalWidth.class.getName())
          .log(System.Logger.Level.DEBUG, "There is no stty to ask for the width", e);
      return USUAL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }

  /** From rows and columns, as stty prints them; a terminal that does not know says 0. */
  static int parse(String size) {
    Matcher matcher = SIZE.matcher(size);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : USUAL;
  }
}
