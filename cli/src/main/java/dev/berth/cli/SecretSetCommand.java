package dev.berth.cli;

import dev.berth.model.StoredSecret;
import dev.berth.model.api.SecretRequest;
import dev.berth.model.api.SecretView;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Keeps a secret. */
@Command(
    name = "set",
    description =
        "Save a secret or change its value. The value is read from a file, from standard input, or"
            + " typed at the terminal without being shown.")
final class SecretSetCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the secret.")
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VALUE",
      description =
          "The value. Not recommended: it is visible in the process list and in your shell"
              + " history.")
  private @Nullable String value;

  @Option(
      names = "--value-file",
      paramLabel = "FILE",
      description = "Read the value from this file.")
  private @Nullable Path file;

  @Mixin private ProjectOption project = new ProjectOption();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (!StoredSecret.NAME.matcher(name).matches()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "'"
              + name
              + "' cannot be the name of a secret: use letters, digits, - and _ (at most 200)");
    }
    String read = read(err);
    try (Connection connection = Connection.open(err)) {
      SecretView secret =
          connection
              .client()
              .access()
              .putSecret(project.of(connection), new SecretRequest(name, read));
      if (json) {
        Json.print(Json.tree(secret), out);
      } else {
        out.println(secret.name() + " saved");
      }
      return ExitCode.OK;
    }
  }

  private String read(PrintWriter err) throws IOException {
    if (value != null && file != null) {
      throw new CommandFailure(ExitCode.USAGE, "give either a value or --value-file, not both");
    }
    if (value != null) {
      err.println(
          "berth: a value given as an argument is visible in the process list and in your shell"
              + " history; use --value-file, standard input or the prompt instead");
      return value;
    }
    if (file != null) {
      try (InputStream in = Files.newInputStream(file)) {
        return text(in, file.toString());
      } catch (IOException e) {
        throw new CommandFailure(ExitCode.USAGE, file + " cannot be read: " + e.getMessage());
      }
    }
    return asked();
  }

  /** From the terminal; from standard input where that is none. */
  @SuppressWarnings("SystemConsoleNull") // it is, with the console that the launcher chooses
  private String asked() throws IOException {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      String text = text(System.in, "standard input");
      // What echo and here-strings add is not meant.
      return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
    char[] typed = console.readPassword("Value of %s: ", name);
    if (typed == null) {
      throw new CommandFailure(ExitCode.USAGE, "no value was entered");
    }
    return new String(typed);
  }

  private static String text(InputStream in, String origin) throws IOException {
    byte[] bytes = in.readNBytes(StoredSecret.LONGEST_VALUE + 2);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new CommandFailure(
          ExitCode.USAGE, origin + " is not UTF-8 text; encode it first, for example with base64");
    }
  }
}
