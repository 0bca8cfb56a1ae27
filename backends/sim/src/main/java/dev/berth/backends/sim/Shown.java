package dev.berth.backends.sim;

import dev.berth.spi.Found;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.ResourceRef;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resources as the simulated cloud shows them. Pure. */
final class Shown {
  static final String ZONE = "zone";

  /** Neither the usual port nor the usual user, so that nobody may take them for granted. */
  private static final int PORT = 2222;

  private static final String USER = "berth";

  private Shown() {}

  static Found of(SimResource thing, Instant now, Duration skew) {
    LateRefusal refusal = thing.refusal();
    if (refusal != null && thing.isRefused(now)) {
      return Found.refused(
          ref(thing),
          thing.life().createdAt().plus(skew),
          refusal.reason(),
          "the simulated cloud refused the request after it had accepted it");
    }
    return of(thing, thing.life().state(now), now, skew);
  }

  /** A thing in a state that it may not have any more. */
  static Found of(SimResource thing, Found.State state, Instant now, Duration skew) {
    return new Found(
        ref(thing),
        state,
        thing.tags(),
        thing.life().createdAt().plus(skew),
        state == Found.State.READY ? access(thing) : null,
        thing.links().members(),
        null,
        thing.life().taken(now) ? "the simulated cloud took it back" : "",
        interruptedAt(thing.life().interruption(), now, skew),
        null);
  }

  static ResourceRef ref(SimResource thing) {
    Map<String, String> data = new LinkedHashMap<>();
    String zone = thing.site().zone();
    if (zone != null) {
      data.put(ZONE, zone);
    }
    return new ResourceRef(thing.type(), thing.key(), thing.id(), thing.site().region(), data);
  }

  /** When it will be taken, once that is said. */
  static @Nullable Instant interruptedAt(
      @Nullable Interruption interruption, Instant now, Duration skew) {
    return interruption != null && Life.passed(interruption.noticeAt(), now)
        ? interruption.at().plus(skew)
        : null;
  }

  /** Where a thing is reached; null for what has no address. */
  private static @Nullable MachineAddress access(SimResource thing) {
    return switch (thing.type()) {
      case INSTANCE, GATEWAY ->
          MachineAddress.of(address(thing))
              .withPort(PORT)
              .withUser(USER)
              .withPrivateAddress(privateAddress(thing))
              .withHostKey(hostKey(thing));
      case LOAD_BALANCER -> MachineAddress.of(address(thing));
      case JOB, GROUP, VOLUME, DISK, ADDRESS, KEY, PLACEMENT_GROUP -> null;
    };
  }

  /** An address that cannot be anybody's: for documentation where public, otherwise private. */
  private static String address(SimResource thing) {
    long number = thing.number();
    return thing.publicAddress()
        ? "203.0.113." + (number % 254 + 1)
        : "10.%d.%d.%d".formatted(number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF);
  }

  /** In the network of the region. */
  private static String privateAddress(SimResource thing) {
    long number = thing.number();
    return "172.%d.%d.%d".formatted(16 + (number >> 16 & 0xF), number >> 8 & 0xFF, number & 0xFF);
  }

  private static String hostKey(SimResource thing) {
    byte[] words = ("simulated " + thing.id()).getBytes(StandardCharsets.UTF_8);
    return "ssh-ed25519 " + Base64.getEncoder().encodeToString(words);
  }
}
