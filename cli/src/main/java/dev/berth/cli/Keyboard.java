package dev.berth.cli;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** The person at the terminal, where there is one: both input and output are the terminal. */
final class Keyboard {
  private Keyboard() {}

  /** The terminal, or null where input or output is a file, a pipe or nothing. */
  @SuppressWarnings("SystemConsoleNull") // it is, with the console that the launcher chooses
  static @Nullable Console find() {
    Console console = System.console();
    return console != null && console.isTerminal() ? console : null;
  }
}
