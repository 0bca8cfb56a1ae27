package dev.berth.client;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into maps, lists, strings, numbers and booleans (RFC 8259). The parser of Jackson
 * takes ten times as long until it has read its first answer, and a command reads one or two.
 */
final class JsonText {
  private static final int DEEPEST = 500;

  private final String text;
  private int at;
  private int depth;

  private JsonText(String text) {
    this.text = text;
  }

  static @Nullable Object parse(String text) {
    JsonText json = new JsonText(text);
    Object value = json.value();
    json.skipSpace();
    if (json.at < text.length()) {
      throw json.malformed();
    }
    return value;
  }

  private @Nullable Object value() {
    skipSpace();
    char first = at < text.length() ? text.charAt(at) : '\0';
    return switch (first) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> entries = new LinkedHashMap<>();
    begin();
    for (boolean more = !takes('}'); more; more = goesOn('}')) {
      skipSpace();
      String name = string();
      if (!takes(':')) {
        throw malformed();
      }
      entries.put(name, value());
    }
    depth--;
    return entries;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> items = new ArrayList<>();
    begin();
    for (boolean more = !takes(']'); more; more = goesOn(']')) {
      items.add(value());
    }
    depth--;
    return items;
  }

  private void begin() {
    at++;
    if (++depth > DEEPEST) {
      throw malformed();
    }
  }

  /** Whether a comma follows, or else the end must. */
  private boolean goesOn(char end) {
    if (takes(',')) {
      return true;
    } else if (takes(end)) {
      return false;
    }
    throw malformed();
  }

  private boolean takes(char wanted) {
    skipSpace();
    boolean found = at < text.length() && text.charAt(at) == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw malformed();
    }
    at += word.length();
    return value;
  }

  private String string() {
    if (at >= text.length() || text.charAt(at) != '"') {
      throw malformed();
    }
    int begin = ++at;
    StringBuilder unescaped = null;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        String last = text.substring(begin, at++);
        return unescaped == null ? last : unescaped.append(last).toString();
      } else if (c < ' ') {
        break;
      } else if (c == '\\') {
        unescaped = unescaped == null ? new StringBuilder() : unescaped;
        unescaped.append(text, begin, at++).append(escaped());
        begin = at + 1;
      }
    }
    throw malformed();
  }

  /** The character after a backslash, of which the last sign is current afterwards. */
  private char escaped() {
    char c = at < text.length() ? text.charAt(at) : '\0';
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          int digit = ++at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
          if (digit < 0 || text.charAt(at) > 'f') {
            throw malformed();
          }
          code = code * 16 + digit;
        }
        yield (char) code;
      }
      default -> throw malformed();
    };
  }

  private Number number() {
    int begin = at;
    at += sees("-") ? 1 : 0;
    if (sees("0")) {
      at++;
    } else {
      digits();
    }
    int end = at;
    if (sees(".")) {
      at++;
      digits();
    }
    if (sees("eE")) {
      at++;
      at += sees("+-") ? 1 : 0;
      digits();
    }
    String number = text.substring(begin, at);
    if (end < at) {
      return Double.valueOf(number);
    } else if (number.length() > 18) {
      return whole(new BigInteger(number));
    }
    long value = Long.parseLong(number);
    if (value == (int) value) {
      return (int) value;
    }
    return value;
  }

  private static Number whole(BigInteger value) {
    if (value.bitLength() < Long.SIZE) {
      return value.longValue();
    }
    return value;
  }

  private boolean sees(String any) {
    return at < text.length() && any.indexOf(text.charAt(at)) >= 0;
  }

  private void digits() {
    if (!sees("0123456789")) {
      throw malformed();
    }
    while (sees("0123456789")) {
      at++;
    }
  }

  private MalformedAnswerException malformed() {
    return new MalformedAnswerException(
        "character " + at + (at < text.length() ? " is unexpected" : " is missing"), null);
  }
}
