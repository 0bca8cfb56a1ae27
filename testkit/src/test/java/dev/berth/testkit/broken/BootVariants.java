package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.compute;

import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BootWay;
import dev.berth.spi.Compute;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Backends that say wrongly what machines take at their creation. */
final class BootVariants {
  private BootVariants() {}

  static List<Variant> all() {
    AtomicInteger asked = new AtomicInteger();
    return List.of(
        compute(
            "boot-way-stays-the-same",
            machines(),
            booting(() -> new BootWay.CloudInit(asked.addAndGet(1)))),
        compute(
            "create-takes-the-longest-boot-text",
            machines(),
            booting(() -> new BootWay.CloudInit(BootWay.CloudInit.USUAL.maxBytes() + 1))),
        compute(
            "create-takes-the-longest-boot-text",
            machines(),
            booting(() -> new BootWay.Script(2 * BootWay.CloudInit.USUAL.maxBytes()))));
  }

  private static UnaryOperator<Compute> booting(Supplier<BootWay> way) {
    return sound ->
        new ForwardingCompute(sound) {
          @Override
          public BootWay bootWay(CatalogItem item) {
            return way.get();
          }
        };
  }
}
