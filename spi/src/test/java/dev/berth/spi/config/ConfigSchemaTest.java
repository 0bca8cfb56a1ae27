package dev.berth.spi.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ConfigSchemaTest {
  private static final Map<String, Object> SCHEMA = ConfigSchema.of(SampleConfig.class);

  @SuppressWarnings("unchecked")
  private static Map<String, Object> part(Object schema, String name) {
    Object properties = Objects.requireNonNull(((Map<?, ?>) schema).get("properties"));
    return (Map<String, Object>) Objects.requireNonNull(((Map<?, ?>) properties).get(name));
  }

  @Test
  void onlyWhatHasNoFallbackIsRequired() {
    assertThat(SCHEMA)
        .containsEntry("required", List.of("creds"))
        .containsEntry("additionalProperties", false);
  }

  @Test
  void typesBoundsAndSentencesFollowFromTheRecord() {
    assertThat(part(SCHEMA, "most"))
        .containsEntry("type", "integer")
        .containsEntry("minimum", 1L)
        .containsEntry("default", "5")
        .containsEntry("description", "How many at most.");
    assertThat(part(SCHEMA, "speed")).containsEntry("enum", List.of("slow", "very_fast"));
    assertThat(part(SCHEMA, "regions")).containsEntry("items", Map.of("type", "string"));
    assertThat(part(SCHEMA, "networks"))
        .containsEntry("additionalProperties", Map.of("type", "string"));
    assertThat(part(SCHEMA, "public_ips")).containsEntry("type", "boolean");
  }

  @Test
  void credentialsAreOneOfSeveral() {
    List<?> choices = (List<?>) Objects.requireNonNull(part(SCHEMA, "creds").get("oneOf"));
    assertThat(choices).hasSize(2);
    assertThat(part(choices.getFirst(), "type")).containsEntry("const", "api_key");
    assertThat(part(choices.getFirst(), "api_key")).containsEntry("writeOnly", true);
    assertThat(part(choices.getLast(), "type")).containsEntry("const", "default");
  }
}
