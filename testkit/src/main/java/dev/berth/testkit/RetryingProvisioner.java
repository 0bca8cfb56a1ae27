package dev.berth.testkit;

import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.util.List;
import java.util.Optional;

/**
 * A provisioner whose calls are made again after a while when they were too many for the provider,
 * as a server does. Any call may end so.
 */
record RetryingProvisioner(Provisioner backend, Waiting waiting) implements Provisioner {
  @Override
  public Found create(CreateRequest request) {
    return waiting.unhurried(() -> backend.create(request));
  }

  @Override
  public void delete(ResourceRef ref) {
    waiting.unhurried(
        () -> {
          backend.delete(ref);
          return ref;
        });
  }

  @Override
  public Optional<Found> describe(ResourceRef ref) {
    return waiting.unhurried(() -> backend.describe(ref));
  }

  @Override
  public List<Optional<Found>> describe(List<ResourceRef> refs) {
    return waiting.unhurried(() -> backend.describe(refs));
  }

  @Override
  public int describedAtOnce() {
    return backend.describedAtOnce();
  }

  @Override
  public Listing list(Owner owner) {
    return waiting.unhurried(() -> backend.list(owner));
  }

  @Override
  public List<Found> find(Owner owner, String key, String region) {
    return waiting.unhurried(() -> backend.find(owner, key, region));
  }

  @Override
  public boolean powerOffEndsBilling() {
    return backend.powerOffEndsBilling();
  }
}
