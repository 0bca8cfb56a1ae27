package dev.berth.cli;

import dev.berth.model.api.TokenView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Revokes tokens. */
@Command(name = "revoke", description = "Revoke tokens; they stop working within 5 seconds.")
final class TokenRevokeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "1..*",
      description =
          "The names or ids of your tokens; global admins can revoke the tokens of others by id.")
  private List<String> tokens = List.of();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      List<TokenView> revoked =
          tokens.stream().map(token -> connection.client().access().revokeToken(token)).toList();
      if (json) {
        Json.print(Map.of("tokens", revoked.stream().map(Json::tree).toList()), out);
      } else {
        revoked.forEach(token -> out.println(token.name() + " revoked"));
      }
      return ExitCode.OK;
    }
  }
}
