package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity provider that one logs in with.
 *
 * @param issuer its address
 * @param clientId what it calls this server
 * @param scopes what to ask it for
 * @param deviceAuthorizationEndpoint where a device without a browser begins (RFC 8628); null for a
 *     provider that does not do that
 * @param tokenEndpoint where the ID token comes from; null for a provider that does not say
 */
public record OidcLoginView(
    String issuer,
    String clientId,
    List<String> scopes,
    @Nullable String deviceAuthorizationEndpoint,
    @Nullable String tokenEndpoint) {
  public OidcLoginView {
    scopes = List.copyOf(scopes);
  }
}
