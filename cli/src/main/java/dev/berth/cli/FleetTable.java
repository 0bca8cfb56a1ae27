package dev.berth.cli;

import dev.berth.model.api.FieldChange;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetDetail;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.InstanceView;
import dev.berth.model.offers.PriceFormat;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows fleets and their machines to a person. */
final class FleetTable {
  private FleetTable() {}

  static void print(List<FleetView> fleets, PrintWriter out) {
    of(fleets).print(out);
  }

  static Table of(List<FleetView> fleets) {
    Table table =
        new Table("NAME", "STATUS", "NODES", "PRICE", "CREATED", "").wrap("NODES").drop("CREATED");
    fleets.forEach(
        fleet ->
            table.row(
                fleet.name() + (fleet.temporary() ? " (temporary)" : ""),
                fleet.status(),
                nodes(fleet.nodes()),
                PriceFormat.perHour(fleet.price()),
                Ago.of(fleet.createdAt(), Instant.now()),
                message(fleet)));
    return table;
  }

  /** How many machines there are in which state, of how many. */
  static String nodes(FleetView.Nodes nodes) {
    List<String> parts = new ArrayList<>();
    add(parts, nodes.idle(), "idle");
    add(parts, nodes.busy(), "busy");
    add(parts, nodes.provisioning(), "provisioning");
    add(parts, nodes.terminating(), "terminating");
    return (parts.isEmpty() ? "0" : String.join(", ", parts))
        + " of "
        + nodes.min()
        + ".."
        + (nodes.max() == null ? "" : nodes.max());
  }

  private static void add(List<String> parts, int count, String word) {
    if (count > 0) {
      parts.add(count + " " + word);
    }
  }

  private static String message(FleetView fleet) {
    String message = fleet.message() == null ? "" : fleet.message();
    return fleet.nextAt() == null ? message : message + "; next try at " + Ago.time(fleet.nextAt());
  }

  static void print(FleetDetail detail, PrintWriter out) {
    print(List.of(detail.fleet()), out);
    if (detail.instances().isEmpty()) {
      return;
    }
    out.println();
    machines(detail.instances()).print(out);
  }

  static Table machines(List<InstanceView> instances) {
    Table table =
        new Table(
                "#",
                "STATUS",
                "BACKEND",
                "REGION",
                "INSTANCE",
                "SPOT",
                "BLOCKS",
                "PRICE",
                "CREATED",
                "")
            .drop("CREATED", "BLOCKS")
            .cut("BACKEND", "REGION", "INSTANCE");
    for (InstanceView instance : instances) {
      table.row(
          String.valueOf(instance.number()),
          instance.status(),
          instance.backend(),
          instance.zone() == null ? instance.region() : instance.zone(),
          instance.instanceType(),
          instance.spot() ? "yes" : "no",
          instance.busyBlocks() + "/" + instance.blocks(),
          PriceFormat.perHour(instance.price()),
          Ago.of(instance.createdAt(), Instant.now()),
          instance.message() != null
              ? instance.message()
              : instance.reason() == null ? "" : instance.reason());
    }
    return table;
  }

  static void print(FleetPlanView plan, PrintWriter out) {
    String name = plan.name() == null ? "(name chosen on submission)" : plan.name();
    out.println(
        " Fleet "
            + name
            + switch (plan.action()) {
              case "update" -> " (will be updated in place)";
              case "none" -> " (already up to date)";
              default -> " (will be created)";
            });
    print(plan.changes(), "   ", out);
    PlanTable.printPolicies(plan.policies(), out);
    out.println();
    PlanTable.print(plan.offers(), out);
    if (plan.offers().isEmpty()) {
      out.println(" No offer matches now; the search is repeated when the fleet needs a machine.");
    }
    out.println();
    out.flush();
  }

  static void print(List<FieldChange> changes, String indent, PrintWriter out) {
    changes.forEach(
        change ->
            out.println(
                indent
                    + change.path()
                    + ": "
                    + (change.before() == null ? "unset" : change.before())
                    + " -> "
                    + (change.after() == null ? "unset" : change.after())));
  }

  static void refuse(List<FieldProblem> refusals) {
    if (!refusals.isEmpty()) {
      throw CommandFailure.refused("this fleet cannot be created", refusals);
    }
  }
}
