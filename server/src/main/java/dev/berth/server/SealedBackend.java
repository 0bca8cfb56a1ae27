package dev.berth.server;

import dev.berth.model.BackendKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A backend as it is kept: what is secret is in the one text that is encrypted. */
record SealedBackend(
    @Nullable String project,
    String name,
    String type,
    String sealed,
    StoredBackend.State state,
    boolean declared) {
  private static final String SEALED = "sealed";

  /** What is encrypted. */
  private record Settings(Map<String, @Nullable Object> config, Map<String, String> extras) {}

  static String json(StoredBackend backend, Keyring keys) {
    String settings =
        ApiJson.MAPPER.writeValueAsString(new Settings(backend.config(), backend.extras()));
    return ApiJson.MAPPER.writeValueAsString(
        new SealedBackend(
            backend.project(),
            backend.name(),
            backend.type(),
            keys.seal(settings, "backend", backend.key()),
            backend.state(),
            backend.declared()));
  }

  /**
   * Reads one.
   *
   * @throws Keyring.Unreadable where its key is not there
   */
  static StoredBackend read(String json, Keyring keys) {
    JsonNode tree = ApiJson.MAPPER.readTree(json);
    if (tree.get(SEALED) == null) {
      // Servers before this one wrote settings as they are.
      return ApiJson.MAPPER.treeToValue(tree, StoredBackend.class);
    }
    SealedBackend kept = ApiJson.MAPPER.treeToValue(tree, SealedBackend.class);
    Settings settings =
        ApiJson.MAPPER.readValue(
            keys.open(kept.sealed(), "backend", kept.key()).reveal(), Settings.class);
    return new StoredBackend(
        kept.project(),
        kept.name(),
        kept.type(),
        settings.config(),
        settings.extras(),
        kept.state(),
        kept.declared());
  }

  private String key() {
    return project == null ? name : BackendKey.of(project, name);
  }

  /** The encrypted text of one; empty where it has none. */
  static String sealedIn(String json) {
    JsonNode sealed = ApiJson.MAPPER.readTree(json).get(SEALED);
    return sealed == null ? "" : sealed.asString();
  }
}
