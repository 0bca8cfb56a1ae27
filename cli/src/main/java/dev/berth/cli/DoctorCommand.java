package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.model.api.DoctorView;
import dev.berth.model.api.DoctorView.Check;
import dev.berth.server.BerthServer;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks at all that may be wrong. */
@Command(
    name = "doctor",
    description = "Check this machine and the server for problems and suggest fixes.")
final class DoctorCommand implements Callable<Integer> {
  /** As wide as a state and what follows it. */
  private static final String INDENT = " ".repeat(6);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print the results as JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    InstantSource clock = InstantSource.system();
    Home home = Home.find();
    List<Check> checks = new ArrayList<>(LocalChecks.of(home));
    checks.addAll(ofServer(home, clock));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(Json.tree(new DoctorView(clock.instant(), checks)), out);
    } else {
      print(checks, out);
    }
    return checks.stream().anyMatch(check -> check.state().equals("fail"))
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  /** Of the configured server, or of the embedded one where it runs: none is started for this. */
  private List<Check> ofServer(Home home, InstantSource clock) {
    ClientSettings settings = ClientSettings.load(home);
    String url = settings.url();
    if (url != null) {
      String token = settings.token();
      if (token == null) {
        return List.of(
            Check.fail(
                "server",
                "the server " + url + " is configured, but there is no token for it",
                "berth config --token TOKEN"));
      }
      try (BerthClient client = new BerthClient(url, token)) {
        return look(client, url, clock);
      }
    }
    return new EmbeddedServer(home, spec.commandLine().getErr())
        .find()
        .map(
            address -> {
              try (BerthClient client = address.client()) {
                return look(client, address.url(), clock);
              }
            })
        .orElseGet(
            () ->
                List.of(
                    Check.ok(
                        "server",
                        "no server is configured; the embedded server is not running and starts"
                            + " when needed"),
                    DefaultCatalogs.check(home, spec.commandLine().getErr())));
  }

  private static List<Check> look(BerthClient client, String url, InstantSource clock) {
    return new ServerChecks(client, url, BerthServer.version(), clock).look();
  }

  private static void print(List<Check> checks, PrintWriter out) {
    int width = TerminalWidth.find() - INDENT.length();
    for (Check check : checks) {
      String before = "%-4s  ".formatted(check.state());
      for (String line : Lines.wrap(check.part() + ": " + check.sentence(), width)) {
        out.println(before + line);
        before = INDENT;
      }
      String remedy = check.remedy();
      if (remedy != null) {
        Lines.wrap("fix: " + remedy, width).forEach(line -> out.println(INDENT + line));
      }
    }
  }
}
