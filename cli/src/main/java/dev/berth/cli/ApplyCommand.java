package dev.berth.cli;

import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunView;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans, confirms, and submits; runs are followed. */
@Command(
    name = "apply",
    description =
        "Show the plan for a configuration, submit it and follow the run to its end; or create or"
            + " update a fleet.")
final class ApplyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(
      names = {"-d", "--detach"},
      description = "Submit the run and return without following it.")
  private boolean detach;

  @Option(names = "--json", description = "Print the run or fleet as JSON; implies -d.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    FleetRequest fleet = options.findFleet(err).orElse(null);
    if (fleet != null) {
      return apply(fleet, out, err);
    }
    RunFile file = options.read(err);
    try (PackedFiles packed = file.pack();
        Connection connection = Connection.open(err)) {
      PlanView plan = connection.client().plan(connection.project(), file.request());
      if (!json) {
        PlanTable.print(plan, err);
      }
      PlanCommand.refuse(plan);
      if (!yes) {
        Confirmation.ask("Submit it?", "submit", "not submitted", err);
      }
      boolean followed = !json && !detach && !plan.action().equals("update");
      // Taken before anything is submitted, so that a port that is not free stops it.
      try (PortForwards forwards =
          PortForwards.open(
              followed
                  ? ForwardedPort.of(
                      file.request().configuration(), List.of(), connection.isToThisMachine())
                  : List.of(),
              "change 'ports' in the file, or submit with -d and follow with: berth attach RUN -p"
                  + " LOCAL:%d",
              err)) {
        packed.upload(connection, err);
        return submit(connection, file, plan, forwards, out, err);
      }
    }
  }

  private int submit(
      Connection connection,
      RunFile file,
      PlanView plan,
      PortForwards forwards,
      PrintWriter out,
      PrintWriter err) {
    RunView run =
        new SentAgain(err)
            .send(key -> connection.client().submit(connection.project(), file.request(), key));
    if (json) {
      Json.print(Json.tree(run), out);
      return ExitCode.OK;
    }
    if (plan.action().equals("update")) {
      out.println(run.name() + " now has priority " + run.priority());
      return ExitCode.OK;
    }
    if (detach) {
      out.println(run.name());
      return ExitCode.OK;
    }
    return new Attachment(err, forwards, true).followSubmitted(connection, run);
  }

  private int apply(FleetRequest fleet, PrintWriter out, PrintWriter err) {
    try (Connection connection = Connection.open(err)) {
      FleetPlanView plan = connection.client().planFleet(connection.project(), fleet);
      if (!json) {
        FleetTable.print(plan, err);
      }
      FleetTable.refuse(plan.refusals());
      if (!yes) {
        Confirmation.ask("Apply it?", "apply", "not applied", err);
      }
      FleetView applied =
          new SentAgain(err)
              .send(key -> connection.client().applyFleet(connection.project(), fleet, key));
      if (json) {
        Json.print(Json.tree(applied), out);
      } else {
        out.println(applied.name());
      }
      return ExitCode.OK;
    }
  }
}
