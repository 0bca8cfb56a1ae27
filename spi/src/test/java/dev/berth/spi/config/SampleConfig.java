package dev.berth.spi.config;

import dev.berth.model.Secret;
import dev.berth.model.config.Size;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration with a setting of every type. */
record SampleConfig(
    @Setting("Who we are.") Credentials creds,
    @Setting(value = "Where machines may be.", example = "[eu-1]", least = 0) List<String> regions,
    @Setting("Networks by region.") Map<String, String> networks,
    @Setting(value = "How fast.", fallback = "slow") Speed speed,
    @Setting(value = "How many at most.", fallback = "5", least = 1) int most,
    @Setting("How long a call may take.") @Nullable Duration patience,
    @Setting("The boot disk.") @Nullable Size disk,
    @Setting(value = "Whether addresses are public.", fallback = "true") boolean publicIps,
    @Setting("The share of spot machines.") @Nullable Double share,
    @Setting(value = "Marks.", name = "labels") List<Label> marks) {

  sealed interface Credentials {
    @Setting("A key of the account.")
    record ApiKey(@Setting("The key.") Secret apiKey) implements Credentials {
      public ApiKey {
        if (apiKey.reveal().length() < 3) {
          throw new IllegalArgumentException("is too short to be a key");
        }
      }
    }

    @Setting("Whatever the machine of the server has.")
    record Default() implements Credentials {}
  }

  enum Speed {
    SLOW,
    VERY_FAST
  }

  record Label(@Setting("Its name.") String name, @Setting("Its value.") @Nullable String value) {}
}
