package dev.berth.cli;

import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.PlanView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows where a configuration would run. */
@Command(
    name = "plan",
    description = "Show where a configuration would run and what it would cost.")
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private RunOptions options = new RunOptions();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    FleetRequest fleet = options.findFleet(spec.commandLine().getErr()).orElse(null);
    if (fleet != null) {
      return plan(fleet, out);
    }
    RunFile file = options.read(spec.commandLine().getErr());
    try (PackedFiles _ = file.pack();
        Connection connection = Connection.open(spec.commandLine().getErr())) {
      PlanView plan = connection.client().plan(connection.project(), file.request());
      if (json) {
        Json.print(Json.tree(plan), out);
      } else {
        PlanTable.print(plan, out);
      }
      refuse(plan);
      return ExitCode.OK;
    }
  }

  private int plan(FleetRequest fleet, PrintWriter out) {
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      FleetPlanView plan = connection.client().planFleet(connection.project(), fleet);
      if (json) {
        Json.print(Json.tree(plan), out);
      } else {
        FleetTable.print(plan, out);
      }
      FleetTable.refuse(plan.refusals());
      return ExitCode.OK;
    }
  }

  static void refuse(PlanView plan) {
    if (!plan.refusals().isEmpty()) {
      throw CommandFailure.refused("this cannot be run", plan.refusals());
    }
    if (plan.offers().isEmpty()) {
      throw new CommandFailure(
          ExitCode.REFUSED,
          "no offer matches the configuration; run `berth explain -f FILE` to see why");
    }
  }
}
