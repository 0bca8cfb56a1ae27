package dev.berth.testkit.broken;

import dev.berth.spi.Found;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Volumes;

/** Does as other volumes do. */
class ForwardingVolumes implements Volumes {
  final Volumes sound;

  ForwardingVolumes(Volumes sound) {
    this.sound = sound;
  }

  @Override
  public Found register(String id, String region) {
    return sound.register(id, region);
  }

  @Override
  public String attach(ResourceRef volume, ResourceRef instance) {
    return sound.attach(volume, instance);
  }

  @Override
  public void detach(ResourceRef volume, ResourceRef instance, boolean force) {
    sound.detach(volume, instance, force);
  }

  @Override
  public boolean isDetached(ResourceRef volume) {
    return sound.isDetached(volume);
  }
}
