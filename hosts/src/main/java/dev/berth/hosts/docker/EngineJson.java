package dev.berth.hosts.docker;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The engine's JSON. */
final class EngineJson {
  static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private EngineJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException unreadable) {
      throw new EngineException(
          EngineException.NO_ANSWER, "the engine's answer is no JSON", unreadable);
    }
  }

  /** What an engine says when it refuses: {@code {"message": ...}}, or plain text. */
  static String message(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      String message = node.path("message").asString("");
      if (message.isEmpty()) {
        message = node.path("cause").asString("");
      }
      return message.isEmpty() ? text.strip() : message.strip();
    } catch (JacksonException plain) {
      return text.strip();
    }
  }
}
