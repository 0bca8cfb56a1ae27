package dev.berth.spi;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * What a backend gets from the server.
 *
 * @param backend what it is called in this installation: the name that the user gave it and its
 *     project, {@code name@project}, or the name alone for one that all projects have
 * @param dataDirectory a folder of its own, which may not exist yet. It survives restarts and is
 *     deleted when the backend is removed. Other servers of the installation may have another one,
 *     so it is only for what can be made again
 * @param extras what {@link BackendType#prepare} returned
 * @param clock the time; a backend asks no other
 * @param archives the files that jobs get, for backends with {@link Trait#FILES}
 * @param sshKey the public key with which Berth logs in to machines, as OpenSSH writes it: {@code
 *     ssh-ed25519 AAAA... berth}. The same for all backends and at every start. {@link
 *     BackendType#prepare} registers it where machines only get keys that the provider knows;
 *     {@link CreateRequest.Machine#sshKeys} has it, too. Empty where no machine is bought
 */
public record BackendContext(
    String backend,
    Owner owner,
    Path dataDirectory,
    Map<String, String> extras,
    InstantSource clock,
    Archives archives,
    String sshKey) {
  public BackendContext {
    extras = Map.copyOf(extras);
  }

  /** Of a server whose jobs get no files, and that logs in nowhere. */
  public BackendContext(
      String backend,
      Owner owner,
      Path dataDirectory,
      Map<String, String> extras,
      InstantSource clock) {
    this(backend, owner, dataDirectory, extras, clock, Archives.NONE, "");
  }

  public BackendContext with(Map<String, String> newExtras) {
    return new BackendContext(backend, owner, dataDirectory, newExtras, clock, archives, sshKey);
  }
}
