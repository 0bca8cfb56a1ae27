package dev.berth.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** A token that a user gives us to store. */
final class NewToken {
  /** The argument that asks for it to be read. */
  private static final String READ = "-";

  private NewToken() {}

  /** The token of an argument, or what is read where the argument is {@code -}. */
  static String read(String argument, PrintWriter err) throws IOException {
    if (!argument.equals(READ)) {
      if (!argument.isEmpty()) {
        err.println(
            "berth: the token is visible in process lists and in the history of your shell; use"
                + " --token - to read it from standard input");
      }
      return argument;
    }
    Console console = Keyboard.find();
    String token;
    if (console == null) {
      token =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    } else {
      char[] typed = console.readPassword("Token: ");
      token = typed == null ? null : new String(typed);
    }
    if (token == null || token.isBlank()) {
      throw new CommandFailure(ExitCode.USAGE, "--token - found no token on standard input");
    }
    return token.strip();
  }
}
