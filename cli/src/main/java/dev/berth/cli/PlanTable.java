package dev.berth.cli;

import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.PolicyView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Shows a plan to a person. */
final class PlanTable {
  /** What goes without saying. */
  private static final Set<String> HAD = Set.of("available", "unknown");

  private static final int SHOWN = 5;

  private PlanTable() {}

  static void print(PlanView plan, PrintWriter out) {
    out.println(" Run   " + (plan.name() == null ? "(a name is chosen)" : plan.name()));
    if (plan.image() != null) {
      out.println(" Image " + plan.image() + " (in containers)");
    }
    if (plan.action().equals("update")) {
      out.println(" It is active, and is changed in place:");
    } else if (!plan.changes().isEmpty()) {
      out.println(" It is active, and cannot be changed like this; stop it first:");
    }
    FleetTable.print(plan.changes(), "   ", out);
    printPolicies(plan.policies(), out);
    out.println();
    print(plan.offers(), out);
    if (plan.offers().isEmpty()) {
      out.println(" There is no place that could run it.");
    }
    out.println();
    out.flush();
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
    Table table = new Table("#", "BACKEND", "REGION", "INSTANCE", "RESOURCES", "SPOT", "PRICE", "");
    int number = 1;
    for (OfferView offer : offers.stream().limit(SHOWN).toList()) {
      table.row(
          String.valueOf(number++),
          offer.backend(),
          offer.region(),
          offer.instanceType(),
          resources(offer),
          offer.spot() ? "yes" : "no",
          price(offer.price()),
          HAD.contains(offer.availability()) ? "" : offer.availability().replace('_', ' '));
    }
    table.print(out);
    if (offers.size() > SHOWN) {
      out.println(" ... and " + (offers.size() - SHOWN) + " more");
    }
  }

  static String price(double perHour) {
    return perHour == 0 ? "free" : String.format(Locale.ROOT, "$%.4f/h", perHour);
  }

  private static String resources(OfferView offer) {
    StringBuilder text = new StringBuilder();
    text.append("cpu=")
        .append(offer.cpus())
        .append(" mem=")
        .append(offer.memoryMib() / 1024)
        .append("GB disk=")
        .append(offer.diskMib() / 1024)
        .append("GB");
    if (!offer.gpus().isEmpty()) {
      text.append(" gpu=").append(offer.gpus().getFirst()).append(':').append(offer.gpus().size());
    }
    return text.toString();
  }
}
