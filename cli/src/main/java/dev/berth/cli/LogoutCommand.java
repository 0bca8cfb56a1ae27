package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Revokes the stored token and forgets it. */
@Command(name = "logout", description = "Log out: revoke the stored token and delete it.")
final class LogoutCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Home home = Home.find();
    // What the environment says is not ours to revoke.
    ClientSettings stored = ClientSettings.loadStored(home);
    String token = stored.token();
    if (token == null) {
      err.println("berth: you are not logged in");
      return ExitCode.OK;
    }
    String url = stored.url();
    if (url != null) {
      revoke(url, token, err);
    }
    ClientSettings.save(home, Map.of("token", ""));
    out.println(url == null ? "deleted the stored token" : "logged out of " + url);
    ClientSettings.environmentWins(url == null ? "" : url)
        .ifPresent(name -> err.println("berth: " + name + " is still set; unset it as well"));
    return ExitCode.OK;
  }

  private static void revoke(String url, String token, PrintWriter err) {
    try (BerthClient client = new BerthClient(url, token)) {
      client.access().logOut();
    } catch (ClientException e) {
      switch (e.status()) {
        case 401 -> err.println("berth: the token was no longer valid");
        case 409 -> err.println("berth: the token is the server's own and cannot be revoked");
        default ->
            throw new CommandFailure(
                e.status() == 0 ? ExitCode.NO_SERVER : ExitCode.FAILED,
                "the token could not be revoked, and is kept: "
                    + e.getMessage()
                    + "\nTo delete it from this machine anyway: berth config --token ''");
      }
    }
  }
}
