package dev.berth.backends.sim;

import dev.berth.model.ResourceType;
import dev.berth.spi.Found;
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
    boolean hasAddress = hasAddress(thing.type()) && state == Found.State.READY;
    boolean isMachine = hasAddress && thing.type() != ResourceType.LOAD_BALANCER;
    return new Found(
        ref(thing),
        state,
        thing.tags(),
        thing.life().createdAt().plus(skew),
        hasAddress ? address(thing) : null,
        isMachine ? hostKey(thing) : null,
        thing.links().members(),
        thing.life().taken(now) ? "the simulated cloud took it back" : "",
        interruptedAt(thing.life().interruption(), now, skew));
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

  private static boolean hasAddress(ResourceType type) {
    return type == ResourceType.INSTANCE
        || type == ResourceType.GATEWAY
        || type == ResourceType.LOAD_BALANCER;
  }

  /** An address that cannot be anybody's: for documentation where public, otherwise private. */
  private static String address(SimResource thing) {
    long number = thing.number();
    return thing.publicAddress()
        ? "203.0.113." + (number % 254 + 1)
        : "10.%d.%d.%d".formatted(number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF);
  }

  private static String hostKey(SimResource thing) {
    byte[] words = ("simulated " + thing.id()).getBytes(StandardCharsets.UTF_8);
    return "ssh-ed25519 " + Base64.getEncoder().encodeToString(words);
  }
}
