package dev.berth.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts wrong tokens by the address that they come from, and says who has to wait. Of very many
 * addresses, those that failed first are forgotten.
 */
final class FailedLogins {
  /** So many in one window are too many. */
  static final int MOST = 10;

  static final Duration WINDOW = Duration.ofMinutes(1);
  static final int MOST_ADDRESSES = 10_000;

  private final InstantSource clock;

  /** By address, in the order of their beginnings. Guarded by this. */
  private final Map<String, Window> windows = new LinkedHashMap<>();

  private record Window(Instant since, int failures) {
    boolean isOver(Instant now) {
      // A clock that was set back must not keep anybody out for longer.
      return now.isBefore(since) || !now.isBefore(since.plus(WINDOW));
    }
  }

  FailedLogins(InstantSource clock) {
    this.clock = clock;
  }

  /** For how long an address has to wait; zero where it need not. */
  synchronized Duration waitOf(String address) {
    Instant now = clock.instant();
    Window window = windows.get(key(address));
    return window == null || window.isOver(now) || window.failures() < MOST
        ? Duration.ZERO
        : Duration.between(now, window.since().plus(WINDOW));
  }

  synchronized void add(String address) {
    Instant now = clock.instant();
    String key = key(address);
    Window before = windows.get(key);
    if (before != null && !before.isOver(now)) {
      windows.put(key, new Window(before.since(), before.failures() + 1));
      return;
    }
    windows.remove(key);
    windows.put(key, new Window(now, 1));
    if (windows.size() > MOST_ADDRESSES) {
      windows.remove(windows.keySet().iterator().next());
    }
  }

  synchronized int addresses() {
    return windows.size();
  }

  /** One customer of a network has a whole block of IPv6 addresses, which count as one. */
  private static String key(String address) {
    try {
      InetAddress parsed = InetAddress.ofLiteral(address);
      return parsed instanceof Inet6Address
          ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), 8))
          : parsed.getHostAddress();
    } catch (IllegalArgumentException e) {
      // Whatever the connection calls itself then is its address.
      return address;
    }
  }
}
