package dev.berth.server;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The proxies before a server whose word is taken for where a request comes from. Anybody can write
 * the header, so that it is read from its end for as long as those who wrote it are trusted.
 */
record TrustedProxies(List<Network> networks) {
  static final String HEADER = "X-Forwarded-For";

  static final TrustedProxies NONE = new TrustedProxies(List.of());

  /** Addresses that begin with the same bits. */
  record Network(InetAddress address, int bits) {
    /** One that is written as an address, or as an address with the number of its bits. */
    static Network of(String text) {
      int slash = text.indexOf('/');
      InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
      int all = address.getAddress().length * Byte.SIZE;
      int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
      if (bits > all) {
        throw new IllegalArgumentException(text + " has more bits than an address");
      }
      return new Network(address, bits);
    }

    boolean has(InetAddress other) {
      byte[] mine = address.getAddress();
      byte[] theirs = other.getAddress();
      int whole = bits / Byte.SIZE;
      int mask = 0xff00 >> bits % Byte.SIZE & 0xff;
      return mine.length == theirs.length
          && Arrays.equals(mine, 0, whole, theirs, 0, whole)
          && (mask == 0 || (mine[whole] & mask) == (theirs[whole] & mask));
    }
  }

  TrustedProxies {
    networks = List.copyOf(networks);
  }

  /** Those that a server's file names; none where it names none. */
  static TrustedProxies of(@Nullable List<String> written) {
    return written == null ? NONE : new TrustedProxies(written.stream().map(Network::of).toList());
  }

  /**
   * Where a request comes from.
   *
   * @param peer who sent it to us
   * @param forwarded the lines of the header
   */
  String client(String peer, List<String> forwarded) {
    if (!trusts(peer)) {
      return peer;
    }
    String client = peer;
    for (String hop : List.of(String.join(",", forwarded).split(",")).reversed()) {
      InetAddress address = parsed(hop).orElse(null);
      if (address == null) {
        return client;
      }
      client = address.getHostAddress();
      if (!trusts(client)) {
        return client;
      }
    }
    return client;
  }

  private boolean trusts(String address) {
    return !networks.isEmpty()
        && parsed(address)
            .filter(parsed -> networks.stream().anyMatch(network -> network.has(parsed)))
            .isPresent();
  }

  /** An address, which some write with a port. */
  private static Optional<InetAddress> parsed(String written) {
    String text = written.strip();
    if (text.startsWith("[") && text.contains("]")) {
      text = text.substring(1, text.indexOf(']'));
    } else if (text.indexOf(':') >= 0 && text.indexOf(':') == text.lastIndexOf(':')) {
      text = text.substring(0, text.indexOf(':'));
    }
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
