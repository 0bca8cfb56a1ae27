package dev.berth.cli;

import dev.berth.model.api.FieldChange;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.FleetDetail;
import dev.berth.model.api.FleetPlanView;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.InstanceView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows fleets and their machines to a person. */
final class FleetTable {
  private FleetTable() {}

  static void print(List<FleetView> fleets, PrintWriter out) {
    Table table = new Table("NAME", "STATUS", "NODES", "PRICE", "CREATED", "");
    fleets.forEach(
        fleet ->
            table.row(
                fleet.name() + (fleet.temporary() ? " (temporary)" : ""),
                fleet.status(),
                nodes(fleet.nodes()),
                PlanTable.price(fleet.price()),
                Ago.of(fleet.createdAt(), Instant.now()),
                message(fleet)));
    table.print(out);
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
    return fleet.nextAt() == null ? message : message + "; tried again at " + fleet.nextAt();
  }

  static void print(FleetDetail detail, PrintWriter out) {
    print(List.of(detail.fleet()), out);
    if (detail.instances().isEmpty()) {
      return;
    }
    out.println();
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
            "");
    for (InstanceView instance : detail.instances()) {
      table.row(
          String.valueOf(instance.number()),
          instance.status(),
          instance.backend(),
          instance.zone() == null ? instance.region() : instance.zone(),
          instance.instanceType(),
          instance.spot() ? "yes" : "no",
          instance.busyBlocks() + "/" + instance.blocks(),
          PlanTable.price(instance.price()),
          Ago.of(instance.createdAt(), Instant.now()),
          instance.message() != null
              ? instance.message()
              : instance.reason() == null ? "" : instance.reason());
    }
    table.print(out);
  }

  static void print(FleetPlanView plan, PrintWriter out) {
    String name = plan.name() == null ? "(a name is chosen)" : plan.name();
    out.println(
        " Fleet "
            + name
            + switch (plan.action()) {
              case "update" -> " (is changed in place)";
              case "none" -> " (is as the file says)";
              default -> " (is made)";
            });
    print(plan.changes(), "   ", out);
    PlanTable.printPolicies(plan.policies(), out);
    out.println();
    PlanTable.print(plan.offers(), out);
    if (plan.offers().isEmpty()) {
      out.println(
          " No offer has what it asks for; it is looked for again when a machine is needed.");
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
      throw CommandFailure.refused("this fleet cannot be made", refusals);
    }
  }
}
