package dev.berth.grammar;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Turns bytes into a tree with positions. Builds no objects, resolves no tags, and stops at fixed
 * bounds, so that a hostile file costs no more than a large one.
 */
public final class YamlReader {
  /** Larger files are refused unread. */
  public static final int MAX_BYTES = 10 * 1024 * 1024;

  /**
   * The parser copies all of a long line for each buffer that it reads of it, so small buffers make
   * a hostile file take quadratic time.
   */
  private static final int READ_AT_ONCE = 1 << 20;

  private YamlReader() {}

  /** A document, and what is wrong with it that did not stop the reading. */
  public record Document(Node root, java.util.List<Problem> problems) {}

  /**
   * Reads one document.
   *
   * @throws SyntaxException where the bytes are not exactly one document within the bounds
   */
  public static Document read(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new SyntaxException(
          Rule.TOO_LARGE,
          Position.START,
          "the file has " + bytes.length + " bytes; at most " + MAX_BYTES + " are read");
    }
    return read(decode(bytes));
  }

  private static Document read(String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(MAX_BYTES)
            .setUseMarks(true)
            .setBufferSize(Math.clamp(text.length(), 16, READ_AT_ONCE))
            .build();
    try {
      Iterator<Event> events = new Parse(settings).parseString(text).iterator();
      return new TreeBuilder(events).document();
    } catch (MarkedYamlEngineException e) {
      throw new SyntaxException(
          Rule.YAML_SYNTAX, positionOf(e.getProblemMark().or(e::getContextMark)), sentence(e));
    } catch (YamlEngineException e) {
      throw new SyntaxException(
          Rule.YAML_SYNTAX,
          Position.START,
          "invalid YAML: " + Text.abbreviate(String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // The library reads some broken escapes, such as an unfinished \\u, without looking first.
      throw new SyntaxException(
          Rule.YAML_SYNTAX,
          Position.START,
          "invalid YAML: broken escape sequence in a quoted string");
    }
  }

  private static String decode(byte[] bytes) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new SyntaxException(
          Rule.NOT_UTF8, firstBadByte(bytes), "the file is not UTF-8 text; save it as UTF-8");
    }
  }

  /** Finds the line of the first byte that is not UTF-8, so that the message can point at it. */
  private static Position firstBadByte(byte[] bytes) {
    java.nio.charset.CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    java.nio.CharBuffer out = java.nio.CharBuffer.allocate(bytes.length + 1);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    java.nio.charset.CoderResult result = decoder.decode(in, out, true);
    if (!result.isError()) {
      return Position.START;
    }
    String before = out.flip().toString();
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    return new Position(line, before.length() - before.lastIndexOf('\n'));
  }

  static Position positionOf(Optional<Mark> mark) {
    return mark.map(place -> new Position(place.getLine() + 1, place.getColumn() + 1))
        .orElse(Position.START);
  }

  private static String sentence(MarkedYamlEngineException e) {
    String problem = e.getProblem() == null ? "cannot be parsed" : e.getProblem();
    if (problem.contains("\\t(TAB)") || problem.contains("'\\t'")) {
      return "YAML does not allow tabs here; indent with spaces";
    }
    String context = e.getContext() == null ? "" : " (" + Text.abbreviate(e.getContext()) + ")";
    return "invalid YAML: " + Text.abbreviate(problem) + context;
  }
}
