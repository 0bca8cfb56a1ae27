package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows or sets which server the commands talk to. */
@Command(name = "config", description = "Show or change which server the commands talk to.")
final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server's address; an empty value selects the embedded server.")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "The token for it; - reads it from standard input, or asks for it at the terminal.")
  private @Nullable String token;

  @Option(names = "--project", paramLabel = "NAME", description = "The project.")
  private @Nullable String project;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (url != null && !url.isEmpty() && !url.matches("https?://\\S+")) {
      throw new CommandFailure(
          ExitCode.USAGE, "--url takes an address such as https://berth.example.com");
    }
    Home home = Home.find();
    Map<String, String> changes = new LinkedHashMap<>();
    put(changes, "url", url);
    put(changes, "project", project);
    ClientSettings stored = ClientSettings.loadStored(home);
    if (token != null) {
      changes.put("token", NewToken.read(token, spec.commandLine().getErr()));
      check(url == null ? stored.url() : url, changes.get("token"));
    }
    forgetForeignToken(stored, changes);
    if (!changes.isEmpty()) {
      ClientSettings.save(home, changes);
    }
    ClientSettings settings = ClientSettings.load(home);
    Optional<EmbeddedServer.Address> embedded =
        settings.url() == null
            ? new EmbeddedServer(home, spec.commandLine().getErr()).find()
            : Optional.empty();
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    shown.put("home", home.folder().toString());
    shown.put("project", settings.project());
    shown.put("server", settings.url() == null ? "embedded" : "configured");
    shown.put(
        "url",
        settings.url() == null
            ? embedded.map(EmbeddedServer.Address::url).orElse(null)
            : settings.url());
    shown.put("pid", embedded.map(EmbeddedServer.Address::pid).orElse(null));
    embedded.ifPresent(address -> address.client().close());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(shown, out);
    } else {
      if (settings.url() != null) {
        // Whether it runs, and as which process, is its own affair.
        shown.remove("pid");
      }
      shown.forEach(
          (name, value) -> out.println(name + ": " + (value == null ? "(not running)" : value)));
    }
    return ExitCode.OK;
  }

  /** A wrong token is told now, and not by the next command. Without a server there is no check. */
  private void check(@Nullable String server, @Nullable String secret) {
    if (server == null || server.isEmpty() || secret == null || secret.isEmpty()) {
      return;
    }
    try (BerthClient client = new BerthClient(server, secret)) {
      client.info();
    } catch (ClientException e) {
      if (e.status() == 401) {
        throw new CommandFailure(
            ExitCode.REFUSED, "the server at " + server + " does not accept this token; not saved");
      }
      spec.commandLine()
          .getErr()
          .println("berth: the token is saved, but could not be checked: " + e.getMessage());
    }
  }

  /** A token is for one server, and another one must not get to see it. */
  private void forgetForeignToken(ClientSettings stored, Map<String, String> changes) {
    String before = stored.url();
    if (url == null
        || token != null
        || stored.token() == null
        || before == null
        || ClientSettings.isSameServer(url, before)) {
      return;
    }
    changes.put("token", "");
    spec.commandLine()
        .getErr()
        .println(
            "berth: the token was for "
                + before
                + " and is forgotten"
                + (url.isEmpty()
                    ? ""
                    : "; log in with: berth login, or set one with: berth config --token TOKEN"));
  }

  private static void put(Map<String, String> changes, String name, @Nullable String value) {
    if (value != null) {
      changes.put(name, value);
    }
  }
}
