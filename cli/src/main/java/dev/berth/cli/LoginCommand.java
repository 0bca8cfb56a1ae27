package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.DeviceLogin;
import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.OidcLoginRequest;
import dev.berth.model.api.OidcLoginView;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Logs in with the identity provider of a server. */
@Command(
    name = "login",
    description = "Log in through the server's identity provider, using a browser on any machine.")
final class LoginCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The server's address (default: the one set with berth config).")
  private @Nullable String server;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    Home home = Home.find();
    String url = server == null ? ClientSettings.load(home).url() : server;
    if (url == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "no server is configured; name it with: berth login --server URL (the server in the"
              + " background needs no login)");
    }
    if (!url.matches("https?://\\S+")) {
      throw new CommandFailure(
          ExitCode.USAGE, "--server takes an address such as https://berth.example.com");
    }
    try (BerthClient client = new BerthClient(url, "")) {
      OidcLoginView provider = client.access().login().oidc();
      if (provider == null) {
        throw new CommandFailure(
            ExitCode.REFUSED,
            "the server at "
                + url
                + " has no identity provider to log in with; ask one of its admins for a token, and"
                + " set it with: berth config --url "
                + url
                + " --token TOKEN");
      }
      String idToken = idToken(provider, err);
      NewTokenView made =
          client.access().logIn(new OidcLoginRequest(idToken, null), UUID.randomUUID().toString());
      String secret = made.secret();
      if (secret == null) {
        throw new CommandFailure(
            ExitCode.FAILED, "the server's response was lost; log in again with: berth login");
      }
      ClientSettings.save(home, Map.of("url", url, "token", secret));
      Instant until = made.token().expiresAt();
      spec.commandLine()
          .getOut()
          .println(
              "logged in to "
                  + url
                  + " as "
                  + made.token().user()
                  + (until == null ? "" : " until " + until));
      ClientSettings.environmentWins(url)
          .ifPresent(
              name -> err.println("berth: " + name + " is set and overrides this login; unset it"));
      return ExitCode.OK;
    }
  }

  private static String idToken(OidcLoginView provider, PrintWriter err)
      throws InterruptedException {
    try {
      return new DeviceLogin(provider, InstantSource.system(), Thread::sleep)
          .await(invitation -> invite(invitation, err));
    } catch (DeviceLogin.FailedException e) {
      throw new CommandFailure(
          e.denied() ? ExitCode.REFUSED : ExitCode.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private static void invite(DeviceLogin.Invitation invitation, PrintWriter err) {
    err.println("Open this address in a browser, on any machine:");
    err.println("  " + invitation.address());
    err.println("and enter the code:");
    err.println("  " + invitation.code());
    if (invitation.complete() != null) {
      err.println("or open this address, which has the code in it:");
      err.println("  " + invitation.complete());
    }
    err.println("berth: waiting for you to log in; press Ctrl-C to cancel");
    err.flush();
  }
}
