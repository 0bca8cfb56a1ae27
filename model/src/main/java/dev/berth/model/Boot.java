package dev.berth.model;

import java.util.List;

/**
 * What a machine is told to do first, and who may enter it.
 *
 * @param text what the provider runs when the machine boots; empty for nothing
 * @param sshKeys public keys that let Berth in
 */
public record Boot(String text, List<String> sshKeys) {
  /** Nothing, and nobody. */
  public static final Boot NONE = new Boot("", List.of());

  public Boot {
    sshKeys = List.copyOf(sshKeys);
  }
}
