package dev.berth.decisions;

import dev.berth.model.Accelerator;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.MachineRequest;
import dev.berth.model.Purchase;
import dev.berth.model.ResourceVector;
import dev.berth.model.offers.CatalogItem;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Orders machines for fleets. */
final class FleetProvisioning {
  private FleetProvisioning() {}

  /** Orders one machine for a fleet; returns the fleet with its number given. */
  static Fleet order(
      Draft draft, Fleet fleet, OfferSelection.Choice choice, @Nullable String key, Instant now) {
    Fleet counted = fleet.counted();
    draft.put(counted);
    int number = counted.numbers() - 1;
    String id = key == null ? fleet.id() + "-" + number : key;
    CatalogItem item = choice.item().in(choice.zone());
    int blocks = Blocks.count(fleet.spec().blocks(), item);
    Candidate candidate = choice.candidate();
    String name = fleet.name() + "-" + number;
    Purchase purchase =
        new Purchase(
            candidate.type(),
            item,
            choice.place(),
            fleet.id(),
            number,
            blocks,
            PlacementGroupLife.join(draft, counted, choice, number, now),
            now,
            now.plus(candidate.abilities().readyWithin()),
            fleet.spec().idleDuration(),
            null,
            null,
            null,
            null,
            null,
            candidate.abilities().execution() == Candidate.Execution.BACKEND ? null : false,
            null);
    Instance instance =
        new Instance(
            id,
            fleet.project(),
            name,
            candidate.backend(),
            item.region(),
            Instance.Status.PENDING,
            capacity(item, blocks),
            devices(item),
            Map.of(),
            item.price(),
            purchase);
    MachineRequest request =
        new MachineRequest(
            choice.place(),
            item,
            name,
            choice.diskMib(),
            ResourceLabels.of(fleet),
            null,
            candidate.abilities().boot(),
            draft.nextEvent());
    InstanceLife.order(draft, instance, request, now);
    return counted;
  }

  private static ResourceVector capacity(CatalogItem item, int blocks) {
    Set<String> ids = new LinkedHashSet<>();
    devices(item).forEach(device -> ids.add(device.id()));
    Long disk = item.diskMib();
    return new ResourceVector(blocks, item.cpus(), item.memoryMib(), disk == null ? 0 : disk, ids);
  }

  private static List<Accelerator> devices(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    if (gpu == null) {
      return List.of();
    }
    return IntStream.range(0, gpu.count())
        .mapToObj(
            i ->
                new Accelerator(
                    String.format(Locale.ROOT, "%02d", i),
                    gpu.vendor().name().toLowerCase(Locale.ROOT),
                    gpu.name(),
                    gpu.memoryMib()))
        .toList();
  }
}
