package dev.berth.server;

import dev.berth.ledger.Body;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a server keeps in the ledger about itself. It is no active entity, so that nobody reads it
 * who decides.
 */
final class KeptRow {
  private KeptRow() {}

  static EntityRow of(EntityKey key, Object content) {
    return of(key, ApiJson.MAPPER.writeValueAsString(content));
  }

  static EntityRow of(EntityKey key, String json) {
    return new EntityRow(key, "", null, null, "kept", false, null, 0, new Body(1, json));
  }

  static Optional<JsonNode> find(Ledger ledger, EntityKey key) {
    return ledger
        .find(Ledger.MAIN_REALM, key)
        .map(stored -> ApiJson.MAPPER.readTree(stored.row().body().json()));
  }
}
