package dev.berth.model;

import org.jspecify.annotations.Nullable;

/**
 * Where a machine is reached, as its backend told it.
 *
 * @param host at which Berth reaches it
 * @param port of its SSH server
 * @param user who logs in
 * @param privateAddress the address that machines near it use; null where they use the host, too
 * @param jump the host through which Berth connects; null for a direct connection
 * @param hostKey the public key that it must show; null where nobody knows it before
 */
public record Endpoint(
    String host,
    int port,
    String user,
    @Nullable String privateAddress,
    @Nullable Jump jump,
    @Nullable String hostKey) {
  private static final int SSH_PORT = 22;

  /** A host of which no more is known. */
  public static Endpoint of(String host) {
    return new Endpoint(host, SSH_PORT, "root", null, null, null);
  }

  /** A host on the way to a machine. */
  public record Jump(String host, int port, String user) {}
}
