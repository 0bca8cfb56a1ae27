package dev.berth.testkit.broken;

import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.SimSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Backends that show later than they say what they made, or that show what was refused. */
final class LateVariants {
  private static final List<Map<String, Object>> LAGGING =
      List.of(Map.of("kind", "lagging_describe", "probability", 1, "lasts", "20s"));

  private static final List<Map<String, Object>> REFUSING =
      List.of(Map.of("kind", "late_refusal", "probability", 1, "lasts", "2s"));

  private LateVariants() {}

  static List<Variant> all() {
    return List.of(
        new Variant(
            "describe-shows-within-visible-within",
            SimSetup.machines().happening(Map.of("faults", LAGGING)),
            SimSetup.machines()
                .happening(Map.of("faults", LAGGING, "declared_visible_within", "5s"))),
        Variant.things(
            "refused-leaves-nothing",
            SimSetup.machines().happening(Map.of("faults", REFUSING)),
            ListsWhatWasRefused::new));
  }

  /** Lists all that it ever made, as it is described. */
  private static final class ListsWhatWasRefused extends ForwardingProvisioner {
    private final List<ResourceRef> made = new ArrayList<>();

    ListsWhatWasRefused(Provisioner sound) {
      super(sound);
    }

    @Override
    public Found create(CreateRequest request) {
      Found found = super.create(request);
      made.add(found.ref());
      return found;
    }

    @Override
    public Listing list(Owner owner) {
      return Listing.all(made.stream().flatMap(ref -> describe(ref).stream()).toList());
    }
  }
}
