package dev.berth.cli;

import dev.berth.client.AccessClient;
import dev.berth.model.api.TokenList;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists tokens. */
@Command(name = "list", description = "List valid tokens, newest first.")
final class TokenListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "Show the tokens of another user; for global admins.")
  private @Nullable String user;

  @Option(
      names = {"-a", "--all"},
      description = "Show the tokens of all users; for global admins.")
  private boolean all;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      AccessClient access = connection.client().access();
      TokenList list = all ? access.allTokens() : access.tokens(user);
      if (json) {
        Json.print(Json.tree(list), out);
        return ExitCode.OK;
      }
      table(list).print(out);
      if (list.tokens().isEmpty()) {
        out.println("There are no tokens; create one with: berth token create NAME");
      }
      return ExitCode.OK;
    }
  }

  static Table table(TokenList list) {
    Table table =
        new Table("ID", "NAME", "USER", "PROJECT", "ROLE", "CREATED", "EXPIRES")
            .drop("CREATED", "ROLE", "PROJECT")
            .cut("NAME", "USER", "PROJECT");
    list.tokens()
        .forEach(
            token ->
                table.row(
                    token.id(),
                    token.name(),
                    token.user(),
                    token.project() == null ? "all" : token.project(),
                    token.role() == null ? "all" : token.role(),
                    Ago.of(token.createdAt(), Instant.now()),
                    token.expiresAt() == null ? "never" : Ago.day(token.expiresAt())));
    return table;
  }
}
