package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * An ID token, to be exchanged for a token of this server.
 *
 * @param idToken what the identity provider gave
 * @param tokenName what the new token shall be called; null for any name
 */
public record OidcLoginRequest(String idToken, @Nullable String tokenName) {
  /** Without the ID token. */
  @Override
  public String toString() {
    return "OidcLoginRequest[tokenName=" + tokenName + "]";
  }
}
