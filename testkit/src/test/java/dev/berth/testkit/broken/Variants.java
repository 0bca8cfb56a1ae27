package dev.berth.testkit.broken;

import dev.berth.testkit.awkward.AwkwardVariants;
import dev.berth.testkit.awkward.containers.AwkwardContainerVariants;
import java.util.List;
import java.util.stream.Stream;

/** All broken backends. */
public final class Variants {
  private Variants() {}

  public static List<Variant> all() {
    return Stream.of(
            ConfigVariants.all(),
            OfferVariants.all(),
            ThingVariants.all(),
            DiskVariants.all(),
            BootVariants.all(),
            IdentityVariants.all(),
            LateVariants.all(),
            JobVariants.all(),
            LogVariants.all(),
            CancelVariants.all(),
            NetworkVariants.all(),
            ContainerVariants.all(),
            RefusalVariants.all(),
            SecretVariants.all(),
            AwkwardVariants.all(),
            AwkwardContainerVariants.all())
        .flatMap(List::stream)
        .toList();
  }
}
