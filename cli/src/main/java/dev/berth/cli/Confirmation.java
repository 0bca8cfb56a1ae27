package dev.berth.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;

/** Asks the person at the terminal before something is done. */
final class Confirmation {
  private Confirmation() {}

  /** Whether the answer is yes; without a terminal nobody can be asked, which is a wrong usage. */
  @SuppressWarnings("SystemConsoleNull") // it is, with the console that the launcher chooses
  static boolean ask(String question, String verb, PrintWriter err) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new CommandFailure(
          ExitCode.USAGE, "there is no terminal to ask at; add -y to " + verb + " without asking");
    }
    err.print(question + " [y/n] ");
    err.flush();
    String answer = console.readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
