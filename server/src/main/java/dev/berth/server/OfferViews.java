package dev.berth.server;

import dev.berth.decisions.PlacementPreview;
import dev.berth.model.Accelerator;
import dev.berth.model.Availability;
import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.Purchase;
import dev.berth.model.api.OfferView;
import dev.berth.model.offers.CatalogItem;
import java.util.Collections;
import java.util.List;

/** Places that could be had, as plans show them. */
final class OfferViews {
  /** So many offers are shown in a plan. */
  static final int MOST_IN_PLAN = 50;

  private OfferViews() {}

  static OfferView of(Candidate candidate) {
    return of(
        BackendKey.name(candidate.backend()), candidate.item(), candidate.availability().word());
  }

  static OfferView of(String backend, CatalogItem item, String availability) {
    CatalogItem.Gpu gpu = item.gpu();
    return new OfferView(
        backend,
        item.zone() == null ? item.region() : item.zone(),
        item.instanceType(),
        item.cpus(),
        item.memoryMib(),
        item.diskMib() == null ? 0 : item.diskMib(),
        gpu == null ? List.of() : Collections.nCopies(gpu.count(), gpu.name()),
        item.spot(),
        item.price(),
        availability);
  }

  static OfferView of(PlacementPreview.Machine machine) {
    Instance instance = machine.instance();
    Purchase purchase = instance.purchase();
    List<String> gpus = instance.gpus().stream().map(Accelerator::name).toList();
    return new OfferView(
        BackendKey.name(instance.backend()),
        instance.region(),
        instance.name(),
        instance.capacity().cpus(),
        instance.capacity().memoryMib(),
        instance.capacity().diskMib(),
        gpus,
        purchase != null && purchase.place().spot(),
        machine.price(),
        word(machine));
  }

  /** Machines that are there by themselves wait for work; of those that were bought it is news. */
  private static String word(PlacementPreview.Machine machine) {
    if (!machine.free()) {
      return Availability.BUSY.word();
    }
    return machine.instance().purchase() == null
        ? Availability.AVAILABLE.word()
        : Availability.IDLE.word();
  }
}
