package dev.berth.server.oidc;

import com.nimbusds.jose.jwk.JWKSet;
import java.net.URI;
import java.net.URISyntaxException;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An identity provider, as far as it describes itself: where it is asked for what, and which keys
 * it signs with. Nothing is fetched before it is needed. Safe for any thread.
 */
public final class Issuer {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final String name;
  private final Kept<Endpoints> endpoints;
  private final Kept<JWKSet> keys;

  /**
   * Where a provider is asked.
   *
   * @param deviceAuthorization null for one that does not know devices without a browser
   */
  public record Endpoints(URI keys, @Nullable URI deviceAuthorization, @Nullable URI token) {}

  /**
   * Makes one that nobody has asked yet.
   *
   * @param name its address, as its tokens name it
   */
  public Issuer(String name, InstantSource clock) {
    this.name = name;
    this.endpoints = new Kept<>(() -> discover(name), clock);
    this.keys = new Kept<>(() -> fetchKeys(endpoints().keys()), clock);
  }

  public String name() {
    return name;
  }

  /**
   * Where it is asked.
   *
   * @throws IssuerUnavailableException where it does not say
   */
  public Endpoints endpoints() {
    return endpoints.value();
  }

  /** The keys that it signs with. */
  JWKSet keys() {
    return keys.value();
  }

  /** The keys as they are now; empty where they were fetched a moment ago. */
  Optional<JWKSet> renewedKeys() {
    return keys.renewed();
  }

  private static Endpoints discover(String name) {
    URI address = URI.create(name.replaceFirst("/+$", "") + "/.well-known/openid-configuration");
    JsonNode document;
    try {
      document = MAPPER.readTree(Publications.fetch(address));
    } catch (JacksonException e) {
      throw new IssuerUnavailableException(address + " is not JSON", e);
    }
    // Otherwise one provider could speak for another.
    if (!name.equals(document.path("issuer").asString(""))) {
      throw new IssuerUnavailableException(
          address
              + " says that the issuer is '"
              + document.path("issuer").asString("")
              + "'; write it so in the server's file");
    }
    URI keys = endpoint(address, document, "jwks_uri");
    if (keys == null) {
      throw new IssuerUnavailableException(address + " has no jwks_uri");
    }
    return new Endpoints(
        keys,
        endpoint(address, document, "device_authorization_endpoint"),
        endpoint(address, document, "token_endpoint"));
  }

  private static @Nullable URI endpoint(URI address, JsonNode document, String field) {
    String text = document.path(field).asString("");
    if (text.isEmpty()) {
      return null;
    }
    try {
      URI endpoint = new URI(text);
      if (Publications.isSafe(endpoint)) {
        return endpoint;
      }
    } catch (URISyntaxException e) {
      throw new IssuerUnavailableException(address + ": " + field + " is not an address", e);
    }
    throw new IssuerUnavailableException(address + ": " + field + " is not an https address");
  }

  private static JWKSet fetchKeys(URI address) {
    try {
      return JWKSet.parse(Publications.fetch(address));
    } catch (ParseException e) {
      throw new IssuerUnavailableException(address + " is not a set of keys", e);
    }
  }
}
