package dev.berth.hosts.gpus;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the JSON that a vendor's tool prints, after whatever it has to say before. */
final class JsonOutput {
  private static final JsonMapper JSON = new JsonMapper();

  /** The first line that begins an object or a list; warnings come with brackets inside a line. */
  private static final Pattern BEGIN = Pattern.compile("^\\s*[{\\[]", Pattern.MULTILINE);

  private JsonOutput() {}

  static JsonNode read(String output) {
    Matcher begin = BEGIN.matcher(output);
    if (!begin.find()) {
      throw new UnreadableOutputException("expected JSON and found '" + firstLine(output) + "'");
    }
    try {
      return JSON.readTree(output.substring(begin.start()));
    } catch (JacksonException failure) {
      throw new UnreadableOutputException(
          "the JSON is not readable: " + failure.getOriginalMessage(), failure);
    }
  }

  /** The text of a field, whatever the case of its name, which changes from version to version. */
  static Optional<String> text(JsonNode object, String name) {
    return object
        .propertyStream()
        .filter(property -> property.getKey().equalsIgnoreCase(name))
        .map(property -> property.getValue().asString("").strip())
        .filter(text -> !text.isEmpty() && !text.equals("N/A"))
        .findFirst();
  }

  private static String firstLine(String output) {
    return output.lines().filter(line -> !line.isBlank()).findFirst().orElse("nothing").strip();
  }
}
