package dev.berth.testkit.broken;

import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.util.List;
import java.util.Optional;

/** Does as another provisioner does. */
class ForwardingProvisioner implements Provisioner {
  final Provisioner sound;

  ForwardingProvisioner(Provisioner sound) {
    this.sound = sound;
  }

  @Override
  public Found create(CreateRequest request) {
    return sound.create(request);
  }

  @Override
  public void delete(ResourceRef ref) {
    sound.delete(ref);
  }

  @Override
  public Optional<Found> describe(ResourceRef ref) {
    return sound.describe(ref);
  }

  @Override
  public Listing list(Owner owner) {
    return sound.list(owner);
  }

  @Override
  public List<Found> find(Owner owner, String key, String region) {
    return sound.find(owner, key, region);
  }

  @Override
  public boolean powerOffEndsBilling() {
    return sound.powerOffEndsBilling();
  }
}
