package dev.berth.cli;

import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.TokenRequest;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a token. */
@Command(
    name = "create",
    description = "Create a token. Its secret is printed once, on standard output.")
final class TokenCreateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the token.")
  private String name = "";

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "The user to create the token for; only for global admins.")
  private @Nullable String user;

  @Option(
      names = {"-p", "--project"},
      paramLabel = "PROJECT",
      description = "Limit the token to this project.")
  private @Nullable String project;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "Limit the token to this role: viewer, user, manager or admin.")
  private @Nullable String role;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description =
          "How long the token is valid: 30d, 12h or 90m, for example (default: for ever).")
  private @Nullable String expires;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Long seconds = expires == null ? null : TimeSpan.seconds("--expires", expires);
    try (Connection connection = Connection.open(err)) {
      NewTokenView made =
          connection
              .client()
              .access()
              .makeToken(
                  new TokenRequest(name, user, project, role, seconds),
                  UUID.randomUUID().toString());
      if (json) {
        Json.print(Json.tree(made), out);
        return ExitCode.OK;
      }
      err.println("berth: store the token " + name + " safely; it won't be shown again");
      out.println(Objects.requireNonNull(made.secret()));
      return ExitCode.OK;
    }
  }
}
