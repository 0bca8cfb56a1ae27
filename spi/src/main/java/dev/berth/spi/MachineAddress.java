package dev.berth.spi;

import org.jspecify.annotations.Nullable;

/**
 * Where a machine is reached, and how it proves that it is the right one. {@link #of} and the
 * methods after it make one step by step. A ready machine keeps its address until it is gone.
 *
 * @param host a name or an IP address at which Berth reaches it
 * @param port the port of its SSH server there
 * @param user the user who logs in; root, or one who may become root without a password
 * @param privateAddress the address that other machines of the same region use; null where they use
 *     the host, too. No two machines have the same
 * @param jump the host through which Berth connects; null for a direct connection
 * @param hostKey the public key that its SSH server must show, as in a known_hosts file: {@code
 *     ssh-ed25519 AAAA...}. Null where the provider does not say it
 */
public record MachineAddress(
    String host,
    int port,
    String user,
    @Nullable String privateAddress,
    @Nullable Jump jump,
    @Nullable String hostKey) {
  /** The port of SSH servers unless they are told another one. */
  public static final int SSH_PORT = 22;

  private static final String ROOT = "root";

  public MachineAddress {
    requireComplete(host, port, user);
  }

  /** A host with an SSH server on the usual port, where root logs in. */
  public static MachineAddress of(String host) {
    return new MachineAddress(host, SSH_PORT, ROOT, null, null, null);
  }

  /** The same with another port. */
  public MachineAddress withPort(int newPort) {
    return new MachineAddress(host, newPort, user, privateAddress, jump, hostKey);
  }

  /** The same where another user logs in. */
  public MachineAddress withUser(String newUser) {
    return new MachineAddress(host, port, newUser, privateAddress, jump, hostKey);
  }

  /** The same with the address that other machines use; null where the provider says none. */
  public MachineAddress withPrivateAddress(@Nullable String newPrivateAddress) {
    return new MachineAddress(host, port, user, newPrivateAddress, jump, hostKey);
  }

  /** The same behind another host. */
  public MachineAddress through(Jump newJump) {
    return new MachineAddress(host, port, user, privateAddress, newJump, hostKey);
  }

  /** The same with the key that it must show; null where the provider does not say it. */
  public MachineAddress withHostKey(@Nullable String newHostKey) {
    return new MachineAddress(host, port, user, privateAddress, jump, newHostKey);
  }

  private static void requireComplete(String host, int port, String user) {
    if (host.isBlank()) {
      throw new IllegalArgumentException(
          "an address has a host; leave the address out until the provider says one");
    }
    if (port < 1 || port > 0xFFFF) {
      throw new IllegalArgumentException("an address has a port from 1 to 65535, not " + port);
    }
    if (user.isBlank()) {
      throw new IllegalArgumentException("an address names the user who logs in");
    }
  }

  /** A host on the way to a machine. */
  public record Jump(String host, int port, String user) {
    public Jump {
      requireComplete(host, port, user);
    }
  }
}
