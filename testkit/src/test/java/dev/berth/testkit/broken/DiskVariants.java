package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.machines;

import dev.berth.backends.sim.SimConfig;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.Provisioner;
import dev.berth.testkit.SimSetup;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Backends whose disks are chosen, wrongly. */
final class DiskVariants {
  private static final DiskChoice CHOICE = new DiskChoice(50 * 1024, 200 * 1024, 0.0001);

  private DiskVariants() {}

  static List<Variant> all() {
    return List.of(
        new Variant(
            "create-takes-a-disk-of-a-size",
            chosen(largest(CHOICE.maxMib())),
            chosen(largest(CHOICE.maxMib() - 1))),
        new Variant(
            "disk-outside-of-the-choice-refused",
            chosen(largest(CHOICE.maxMib())),
            chosen(largest(Long.MAX_VALUE))));
  }

  /** A cloud whose offers do not say what disk they have. */
  private static SimSetup chosen(UnaryOperator<Provisioner> limit) {
    return machines().wrapped(type -> opened(type, limit));
  }

  private static BackendType<SimConfig> opened(
      BackendType<SimConfig> sound, UnaryOperator<Provisioner> limit) {
    return new ForwardingType<>(sound) {
      @Override
      public Compute open(SimConfig config, BackendContext context) {
        return new ChosenDisks(super.open(config, context), limit);
      }
    };
  }

  /** Refuses larger disks. */
  private static UnaryOperator<Provisioner> largest(long mostMib) {
    return Fault.create(
        (sound, request) -> {
          if (request instanceof CreateRequest.Machine machine
              && machine.diskMib() != null
              && machine.diskMib() > mostMib) {
            throw new BackendException.Permanent("the disk is too large", null);
          }
          return sound.create(request);
        });
  }

  private static final class ChosenDisks extends ForwardingCompute {
    private final Optional<Provisioner> provisioner;

    ChosenDisks(Compute sound, UnaryOperator<Provisioner> limit) {
      super(sound);
      this.provisioner = sound.provisioner().map(limit);
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return provisioner;
    }

    @Override
    public Optional<DiskChoice> disk(CatalogItem item) {
      return Optional.of(CHOICE);
    }

    @Override
    public Offers offers() {
      return super.offers() instanceof Offers.Live(var source)
          ? new Offers.Live(new WithoutDisks(source))
          : super.offers();
    }
  }

  private record WithoutDisks(OfferSource sound) implements OfferSource {
    @Override
    public String name() {
      return sound.name();
    }

    @Override
    public Kind kind() {
      return sound.kind();
    }

    @Override
    public Fetched fetch(OfferFilter filter, boolean balance) {
      Fetched fetched = sound.fetch(filter, balance);
      return new Fetched(
          fetched.version(),
          fetched.collectedAt(),
          fetched.items().stream().map(item -> item.with(null, item.price())).toList(),
          fetched.refused());
    }
  }
}
