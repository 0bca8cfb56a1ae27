package dev.berth.decisions;

import dev.berth.model.Instance;
import dev.berth.model.Purchase;
import dev.berth.model.ResourceVector;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.offers.OfferMatch;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Cuts machines that we bought into equal parts. */
final class Blocks {
  private Blocks() {}

  /** Into how many parts a machine is cut: as asked for where it divides, else it stays whole. */
  static int count(@Nullable Integer asked, CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    int gpus = gpu == null ? 0 : gpu.count();
    int count = asked != null ? asked : gpus > 0 ? gpus : 1;
    return divides(count, item.cpus()) && (gpus == 0 || divides(count, gpus)) ? count : 1;
  }

  /** Whether a machine can be cut as asked. */
  static boolean canBeCut(@Nullable Integer asked, CatalogItem item) {
    return asked == null || count(asked, item) == asked;
  }

  private static boolean divides(int count, int number) {
    return count > 0 && number % count == 0;
  }

  /** What a number of blocks of a machine is, as if it were an offer. */
  static CatalogItem part(CatalogItem item, int blocks, int of) {
    CatalogItem.Gpu gpu = item.gpu();
    return new CatalogItem(
        item.provider(),
        item.instanceType(),
        item.region(),
        item.zone(),
        item.price() * blocks / of,
        item.cpus() * blocks / of,
        item.arch(),
        item.memoryMib() * blocks / of,
        gpu == null
            ? null
            : new CatalogItem.Gpu(
                gpu.vendor(), gpu.name(), gpu.count() * blocks / of, gpu.memoryMib()),
        item.diskMib(),
        item.spot(),
        item.flags(),
        item.providerData(),
        item.repairs());
  }

  /** The smallest number of blocks that has what is asked for; empty where not even all have. */
  static Optional<Integer> needed(OfferFilter filter, Purchase purchase) {
    for (int blocks = 1; blocks <= purchase.blocks(); blocks++) {
      if (OfferMatch.matches(filter, part(purchase.offer(), blocks, purchase.blocks()))) {
        return Optional.of(blocks);
      }
    }
    return Optional.empty();
  }

  /** The share of a machine that so many blocks are, or empty where they are not free. */
  static Optional<ResourceVector> share(Instance instance, int blocks, int of) {
    ResourceVector free = instance.free();
    int gpus = instance.gpus().size() * blocks / of;
    if (free.slots() < blocks || free.devices().size() < gpus) {
      return Optional.empty();
    }
    Set<String> devices = new TreeSet<>();
    free.devices().stream().sorted().limit(gpus).forEach(devices::add);
    ResourceVector all = instance.capacity();
    return Optional.of(
        new ResourceVector(
            blocks,
            all.cpus() * blocks / of,
            all.memoryMib() * blocks / of,
            // The disk is shared.
            0,
            devices));
  }
}
