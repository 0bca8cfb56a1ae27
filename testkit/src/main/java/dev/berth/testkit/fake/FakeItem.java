package dev.berth.testkit.fake;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * Something that exists at a fake cloud.
 *
 * @param kind such as {@code machine}; ids are unique within it
 * @param createdAt since when it exists
 * @param body its fields, of which only the cloud knows the meaning
 */
public record FakeItem(String kind, String id, Instant createdAt, JsonNode body) {
  /** Its fields as a record. */
  public <T> T as(Class<T> type) {
    return FakeRequest.JSON.treeToValue(body, type);
  }
}
