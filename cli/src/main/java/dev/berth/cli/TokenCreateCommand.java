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
    description = "Make a token. Its secret is shown once, on standard output.")
final class TokenCreateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "What the token shall be called.")
  private String name = "";

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "For another user, by a global admin.")
  private @Nullable String user;

  @Option(
      names = {"-p", "--project"},
      paramLabel = "PROJECT",
      description = "The only project it shall be for.")
  private @Nullable String project;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "The highest role it shall have: viewer, user, manager or admin.")
  private @Nullable String role;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "For how long it shall work, as 30d, 12h or 90m; for ever otherwise.")
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
      err.println("berth: keep the token " + name + " well; it is not shown again");
      out.println(Objects.requireNonNull(made.secret()));
      return ExitCode.OK;
    }
  }
}
