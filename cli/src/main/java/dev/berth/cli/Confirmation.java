package dev.berth.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks the person at the terminal before something is done. */
final class Confirmation {
  private Confirmation() {}

  /**
   * Goes on where the answer is yes.
   *
   * @param verb what {@code -y} does without asking
   * @param refused what is said where the answer is no, such as "not submitted"
   * @throws CommandFailure where the answer is no; and without a terminal, where nobody can be
   *     asked
   */
  static void ask(String question, String verb, String refused, PrintWriter err) {
    Console console = Keyboard.find();
    if (console == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "cannot ask for confirmation without a terminal; add -y to " + verb + " without asking");
    }
    if (!isConfirmed(question, console::readLine, err)) {
      throw new CommandFailure(ExitCode.FAILED, refused);
    }
  }

  /** Asks until the answer is yes or no. The end of the input, which is Ctrl-D, is a no. */
  static boolean isConfirmed(String question, Supplier<@Nullable String> answers, PrintWriter err) {
    while (true) {
      err.print(question + " [y/n] ");
      err.flush();
      String typed = answers.get();
      if (typed == null) {
        err.println();
        return false;
      }
      switch (typed.strip().toLowerCase(Locale.ROOT)) {
        case "y", "yes" -> {
          return true;
        }
        case "n", "no" -> {
          return false;
        }
        default -> err.println("Please answer y or n.");
      }
    }
  }
}
