package dev.berth.testkit.broken;

import dev.berth.backends.sim.SimConfig;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;
import dev.berth.spi.Provisioner;
import dev.berth.spi.QualifiedOffer;
import java.util.List;
import java.util.Optional;

/** A backend as it comes out of the scaffold: what it is, is said, and what it does, is not. */
public final class Unwritten extends ForwardingCompute {
  private Unwritten(Compute sound) {
    super(sound);
  }

  /** The type of such backends. */
  public static BackendType<SimConfig> type(BackendType<SimConfig> type) {
    return Variant.opened(type, Unwritten::new);
  }

  @Override
  public Offers offers() {
    throw new UnsupportedOperationException("offers() is not written yet");
  }

  @Override
  public List<QualifiedOffer> qualify(List<CatalogItem> items) {
    throw new UnsupportedOperationException("qualify() is not written yet");
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return super.provisioner().map(Later::new);
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return Optional.empty();
  }

  private static final class Later extends ForwardingProvisioner {
    Later(Provisioner sound) {
      super(sound);
    }

    @Override
    public Found create(CreateRequest request) {
      throw new UnsupportedOperationException("create() is not written yet");
    }
  }
}
