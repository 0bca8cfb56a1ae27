package dev.berth.testkit.awkward.containers;

import dev.berth.model.Secret;
import dev.berth.spi.config.Setting;

/** The settings of a backend of the awkward cloud of containers. */
record AwkwardContainerConfig(
    @Setting("Who we are there.") Credentials creds,
    @Setting("The address of the API.") String endpoint) {
  /** The ways to say who we are. */
  sealed interface Credentials {
    Secret apiKey();
  }

  @Setting("A key of the API.")
  record ApiKey(@Setting("The key.") Secret apiKey) implements Credentials {}
}
