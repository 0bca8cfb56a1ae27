package dev.berth.cli;

import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import java.io.PrintWriter;
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
    out.println();
    Table table = new Table("#", "BACKEND", "REGION", "INSTANCE", "RESOURCES", "SPOT", "PRICE", "");
    int number = 1;
    for (OfferView offer : plan.offers().stream().limit(SHOWN).toList()) {
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
    if (plan.offers().size() > SHOWN) {
      out.println(" ... and " + (plan.offers().size() - SHOWN) + " more");
    }
    if (plan.offers().isEmpty()) {
      out.println(" There is no place that could run it.");
    }
    out.println();
    out.flush();
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
