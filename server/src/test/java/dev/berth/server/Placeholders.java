package dev.berth.server;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts words for what is different each time into answers, so that they can be compared with golden
 * files. Nothing is left out: what a placeholder stands for has the format that its name says, or
 * the answer is refused.
 *
 * <ul>
 *   <li>Fields that hold a time, by their names, and times in sentences: {@code <instant>}, an
 *       instant of UTC.
 *   <li>Fields that hold a number nobody chose, by their names: {@code <number>}.
 *   <li>Ids that the server makes: {@code <run 1>}, {@code <fleet 2>}, {@code <token 3>}. They are
 *       counted, so that the same id is the same word in all files.
 *   <li>What sentences tell of a process ({@code <process>}) and what was measured ({@code
 *       <number>}): sizes, seconds, and the number of an event.
 *   <li>Secrets of new tokens: {@code <secret>}.
 *   <li>Words that the test knows, such as the folder of the server: what the test calls them.
 * </ul>
 */
final class Placeholders {
  private static final Pattern TIME_FIELD = Pattern.compile("at|[a-z_]+_at|since|idle_since");
  private static final Pattern NUMBER_FIELD = Pattern.compile("pid|seq|next|cost|age_seconds");
  private static final Pattern INSTANT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z");
  private static final Pattern ID = Pattern.compile("\\b([rft])[0-9a-hjkmnp-tv-z]{19}\\b");
  private static final Pattern SECRET = Pattern.compile("\\bberth_[A-Za-z0-9_-]{43}(?![\\w-])");
  private static final Pattern PROCESS = Pattern.compile("\\bpid \\d+ \\([0-9a-f]{16}\\)");
  private static final Pattern MEASURED =
      Pattern.compile(
          "\\b(\\d+(?:\\.\\d)?[KMG]?B(?= free in)|(?<=database uses )\\d+(?:\\.\\d)?[KMG]?B"
              + "|\\d+\\.\\d(?= s\\b)|(?<=\\bevent )\\d+)");
  private static final Map<String, String> KINDS = Map.of("r", "run", "f", "fleet", "t", "token");

  private final Map<String, String> known = new LinkedHashMap<>();
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();

  /** From now on a word is called by a name. */
  void call(String word, String name) {
    known.put(word, "<" + name + ">");
  }

  /** A value of a field, and all that is in it. */
  JsonNode in(String field, JsonNode value) {
    if (value.isObject()) {
      ObjectNode fields = JsonNodeFactory.instance.objectNode();
      // By name, because maps of the server have another order each time.
      value.properties().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(one -> fields.set(in(one.getKey()), in(one.getKey(), one.getValue())));
      return fields;
    }
    if (value.isArray()) {
      ArrayNode items = JsonNodeFactory.instance.arrayNode();
      value.forEach(one -> items.add(in(field, one)));
      return items;
    }
    if (value.isNull()) {
      return value;
    }
    if (TIME_FIELD.matcher(field).matches()) {
      return required(field, value, value.isString() && isInstant(value), "<instant>");
    }
    if (NUMBER_FIELD.matcher(field).matches()) {
      return required(field, value, value.isNumber() && value.asDouble() >= 0, "<number>");
    }
    return value.isString() ? JsonNodeFactory.instance.stringNode(in(value.asString())) : value;
  }

  private static boolean isInstant(JsonNode value) {
    return INSTANT.matcher(value.asString()).matches();
  }

  private static JsonNode required(String field, JsonNode value, boolean right, String word) {
    if (!right) {
      throw new AssertionError("the field '" + field + "' is no " + word + ": " + value);
    }
    return JsonNodeFactory.instance.stringNode(word);
  }

  /** A text, and all that is in it. */
  String in(String text) {
    String named = text;
    for (Map.Entry<String, String> word : known.entrySet()) {
      named = named.replace(word.getKey(), word.getValue());
    }
    named = SECRET.matcher(named).replaceAll("<secret>");
    named = INSTANT.matcher(named).replaceAll("<instant>");
    named = PROCESS.matcher(named).replaceAll("<process>");
    named = MEASURED.matcher(named).replaceAll("<number>");
    return ID.matcher(named)
        .replaceAll(id -> Matcher.quoteReplacement(counted(id.group(), id.group(1))));
  }

  private String counted(String id, String letter) {
    return ids.computeIfAbsent(
        id,
        _ -> {
          String kind = KINDS.getOrDefault(letter, letter);
          return "<" + kind + " " + counts.merge(kind, 1, Integer::sum) + ">";
        });
  }
}
