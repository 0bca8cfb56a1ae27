package dev.berth.cli;

import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunView;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Follows a run that was submitted before, and forwards its ports. */
@Command(
    name = "attach",
    description =
        "Follow a run to its end and forward its ports to this machine. Ctrl-C asks whether to"
            + " stop the run or to detach and leave it running.")
final class AttachCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", description = "The name or id of the run.")
  private String run = "";

  @Option(
      names = {"-p", "--port"},
      paramLabel = "LOCAL:JOB",
      description =
          "Forward a port of the job to this machine: 8080 for the same port here, 9090:8080 for"
              + " another, *:8080 for any free one. Repeatable.")
  private List<String> ports = new ArrayList<>();

  @Option(
      names = "--logs",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Print the run's output from the beginning (the default); --no-logs does not.")
  private boolean logs = true;

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    List<ForwardedPort> given = ports.stream().map(ForwardedPort::parse).toList();
    try (Connection connection = Connection.open(err)) {
      RunDetail detail = connection.client().get(connection.project(), run);
      RunView found = detail.run();
      boolean over = found.finishedAt() != null;
      try (PortForwards forwards =
          PortForwards.open(
              over
                  ? List.of()
                  : ForwardedPort.of(detail.configuration(), given, connection.isToThisMachine()),
              "choose another with: berth attach " + found.name() + " -p LOCAL:%d",
              err)) {
        return new Attachment(err, forwards, logs).follow(connection, found);
      }
    }
  }
}
