package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.Place;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.ResourceVector;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AfterCommitTest {
  private static final Place PLACE = new Place("north", null, "small", false, 1, "", null, null);

  @Test
  void theOfferOfAMachineThatWasRefusedLateIsNotTriedByOthers() {
    assertThat(refused(machine(InstanceReason.NO_OFFERS), resource(Resource.State.GONE, "i-1")))
        .containsExactly(PLACE.offerKey(Samples.BACKEND));
  }

  @Test
  void whatWasRefusedAtOnceIsKnownFromTheCall() {
    assertThat(refused(machine(InstanceReason.NO_OFFERS), resource(Resource.State.GONE, null)))
        .isEmpty();
  }

  @Test
  void whatEndsForOtherReasonsSaysNothingOfItsOffer() {
    assertThat(refused(machine(InstanceReason.IDLE_TIMEOUT), resource(Resource.State.GONE, "i-1")))
        .isEmpty();
    assertThat(refused(machine(InstanceReason.NO_OFFERS), resource(Resource.State.LEAVING, "i-1")))
        .isEmpty();
    assertThat(refused(resource(Resource.State.GONE, "i-1"))).isEmpty();
  }

  private static List<String> refused(Entity... written) {
    return AfterCommit.refusedLate(List.of(written));
  }

  private static Resource resource(Resource.State phase, @Nullable String id) {
    return new Resource(
        "m1",
        Samples.PROJECT,
        "m1",
        Samples.BACKEND,
        ResourceType.INSTANCE,
        phase,
        id == null ? null : new Resource.Ref(id, "north", Map.of()),
        null,
        null);
  }

  private static Instance machine(InstanceReason reason) {
    CatalogItem item =
        new CatalogItem(
            "sim",
            "small",
            "north",
            null,
            1,
            8,
            CpuArchitecture.X86,
            16_384,
            null,
            null,
            false,
            List.of(),
            "{}",
            List.of());
    Purchase purchase =
        new Purchase(
            "sim",
            item,
            PLACE,
            "f1",
            0,
            1,
            null,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            null,
            null,
            reason,
            "not today");
    return new Instance(
        "m1",
        Samples.PROJECT,
        "f1-0",
        Samples.BACKEND,
        "north",
        Instance.Status.TERMINATED,
        new ResourceVector(32, 8, 16_384, 100_000, Set.of()),
        List.of(),
        Map.of(),
        1,
        purchase);
  }
}
