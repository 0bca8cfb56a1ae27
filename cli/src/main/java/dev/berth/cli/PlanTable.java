package dev.berth.cli;

import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.PolicyView;
import dev.berth.model.offers.PriceFormat;
import dev.berth.model.offers.SizeFormat;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;

/** Shows a plan to a person. */
final class PlanTable {
  /** What goes without saying. */
  private static final Set<String> HAD = Set.of("available", "unknown", "not_configured");

  private static final int SHOWN = 5;

  private PlanTable() {}

  static void print(PlanView plan, PrintWriter out) {
    out.println(" Run   " + (plan.name() == null ? "(name chosen on submission)" : plan.name()));
    if (plan.image() != null) {
      out.println(" Image " + plan.image() + " (in containers)");
    }
    if (plan.action().equals("update")) {
      out.println(" The run is active and will be updated in place:");
    } else if (!plan.changes().isEmpty()) {
      out.println(" The run is active; these changes require stopping it:");
    }
    FleetTable.print(plan.changes(), "   ", out);
    printPolicies(plan.policies(), out);
    out.println();
    print(plan.offers(), out);
    if (plan.offers().isEmpty()) {
      out.println(" No offer can run this.");
    }
    printElsewhere(plan, out);
    out.println();
    out.flush();
  }

  /** What would fit and cannot be used, which tells what kind of backend is missing. */
  private static void printElsewhere(PlanView plan, PrintWriter out) {
    if (!plan.elsewhere().isEmpty()) {
      out.println();
      out.println(" These would fit, but no backend is configured for their providers:");
      print(plan.elsewhere(), out);
    }
    plan.notes().forEach(note -> out.println(" Note: " + note));
  }

  static void printPolicies(List<PolicyView> policies, PrintWriter out) {
    for (PolicyView policy : policies) {
      out.println(
          " Policy '"
              + policy.name()
              + (policy.dryRun() ? "' (dry run) " : "' ")
              + policy.effect()
              + (policy.message() == null ? "" : ". " + policy.message()));
    }
  }

  static void print(List<OfferView> offers, PrintWriter out) {
    table(offers).print(out);
    if (offers.size() > SHOWN) {
      out.println(" ... and " + (offers.size() - SHOWN) + " more; see all with: berth plan --json");
    }
  }

  static Table table(List<OfferView> offers) {
    Table table =
        new Table("#", "BACKEND", "REGION", "INSTANCE", "RESOURCES", "SPOT", "PRICE", "")
            .wrap("RESOURCES")
            .cut("BACKEND", "REGION", "INSTANCE");
    int number = 1;
    for (OfferView offer : offers.stream().limit(SHOWN).toList()) {
      table.row(
          String.valueOf(number++),
          offer.backend(),
          offer.region(),
          offer.instanceType(),
          resources(offer),
          offer.spot() ? "yes" : "no",
          PriceFormat.perHour(offer.price()),
          HAD.contains(offer.availability()) ? "" : offer.availability().replace('_', ' '));
    }
    return table;
  }

  private static String resources(OfferView offer) {
    StringBuilder text = new StringBuilder();
    text.append("cpu=")
        .append(offer.cpus())
        .append(" mem=")
        .append(SizeFormat.ofMib(offer.memoryMib()));
    // Some providers do not publish the size of the disk.
    if (offer.diskMib() > 0) {
      text.append(" disk=").append(SizeFormat.ofMib(offer.diskMib()));
    }
    if (!offer.gpus().isEmpty()) {
      text.append(" gpu=").append(offer.gpus().getFirst()).append(':').append(offer.gpus().size());
    }
    return text.toString();
  }
}
