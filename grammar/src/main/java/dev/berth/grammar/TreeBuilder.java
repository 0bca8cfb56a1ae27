package dev.berth.grammar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;

/**
 * Builds one tree from parser events, within bounds on depth and on the size that aliases can
 * unfold to.
 */
final class TreeBuilder {
  static final int MAX_DEPTH = 64;
  static final int MAX_NODES = 500_000;
  static final int MAX_ALIASES = 1_000;

  /**
   * Tags that say no more than what fields decide anyway. Every other tag asks for an object and is
   * refused.
   */
  private static final Set<String> HARMLESS_TAGS =
      Set.of(
          "!",
          "tag:yaml.org,2002:str",
          "tag:yaml.org,2002:int",
          "tag:yaml.org,2002:float",
          "tag:yaml.org,2002:bool",
          "tag:yaml.org,2002:null",
          "tag:yaml.org,2002:seq",
          "tag:yaml.org,2002:map");

  private final Iterator<Event> events;
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private int nodes;
  private int aliases;
  private int deepest;

  /**
   * A subtree that aliases may repeat, with the number of nodes and levels that each repetition
   * adds.
   */
  private record Anchored(Node node, int size, int height) {}

  TreeBuilder(Iterator<Event> events) {
    this.events = events;
  }

  YamlReader.Document document() {
    Event event = next();
    while (event.getEventId() == Event.ID.StreamStart || event.getEventId() == Event.ID.Comment) {
      event = next();
    }
    if (event.getEventId() == Event.ID.StreamEnd) {
      throw new SyntaxException(
          Rule.EMPTY_DOCUMENT,
          Position.START,
          "the file is empty; a configuration needs at least 'type'");
    }
    Node root = node(next(), 0);
    next();
    Event after = next();
    if (after.getEventId() == Event.ID.DocumentStart) {
      throw new SyntaxException(
          Rule.SEVERAL_DOCUMENTS, position(after), "a file can hold only one YAML document");
    }
    return new YamlReader.Document(root, List.copyOf(problems));
  }

  private Event next() {
    return events.next();
  }

  private Node node(Event event, int depth) {
    checkDepth(event, depth);
    count(event, 1);
    int outerDeepest = deepest;
    deepest = depth;
    Node node = counted(event, depth, nodes);
    deepest = Math.max(deepest, outerDeepest);
    return node;
  }

  private Node counted(Event event, int depth, int sizeBefore) {
    return switch (event) {
      case AliasEvent alias -> repeated(alias, depth);
      case ScalarEvent scalar -> {
        checkTag(scalar.getTag(), scalar);
        boolean plain =
            scalar.getScalarStyle() == ScalarStyle.PLAIN
                && !scalar.getTag().filter("tag:yaml.org,2002:str"::equals).isPresent();
        yield remember(
            scalar.getAnchor(),
            new Node.Scalar(position(scalar), scalar.getValue(), plain),
            depth,
            sizeBefore);
      }
      case SequenceStartEvent start -> {
        checkTag(start.getTag(), start);
        List<Node> items = new ArrayList<>();
        for (Event item = next(); item.getEventId() != Event.ID.SequenceEnd; item = next()) {
          items.add(node(item, depth + 1));
        }
        yield remember(
            start.getAnchor(),
            new Node.Sequence(position(start), List.copyOf(items)),
            depth,
            sizeBefore);
      }
      case MappingStartEvent start -> {
        checkTag(start.getTag(), start);
        yield remember(start.getAnchor(), mapping(start, depth), depth, sizeBefore);
      }
      default ->
          throw new SyntaxException(
              Rule.YAML_SYNTAX, position(event), "invalid YAML: unexpected " + event.getEventId());
    };
  }

  private Node mapping(MappingStartEvent start, int depth) {
    SequencedMap<String, Node.Mapping.Entry> written = new LinkedHashMap<>();
    List<Node> merged = new ArrayList<>();
    for (Event event = next(); event.getEventId() != Event.ID.MappingEnd; event = next()) {
      Position keyPosition = position(event);
      Node key = node(event, depth + 1);
      Node value = node(next(), depth + 1);
      if (!(key instanceof Node.Scalar name)) {
        throw new SyntaxException(
            Rule.KEY_NOT_TEXT, keyPosition, "a key must be a string, not " + key.kindName());
      }
      if (name.plain() && name.text().equals("<<")) {
        merged.add(value);
      } else if (written.putIfAbsent(name.text(), new Node.Mapping.Entry(keyPosition, value))
          != null) {
        report(
            Rule.DUPLICATE_KEY,
            keyPosition,
            "duplicate key '" + Text.abbreviate(name.text()) + "'");
      }
    }
    merged.forEach(value -> merge(value, written));
    return new Node.Mapping(position(start), written);
  }

  /**
   * The merge key {@code <<}: what stands in the mapping itself wins over what is merged into it,
   * and earlier merges win over later ones.
   */
  private void merge(Node value, SequencedMap<String, Node.Mapping.Entry> into) {
    switch (value) {
      case Node.Mapping mapping -> mapping.entries().forEach(into::putIfAbsent);
      case Node.Sequence sequence
          when sequence.items().stream().allMatch(Node.Mapping.class::isInstance) ->
          sequence.items().forEach(item -> merge(item, into));
      default ->
          report(
              Rule.MERGE_NOT_MAPPING,
              value.position(),
              "'<<' merges a mapping or a list of mappings, not " + value.kindName());
    }
  }

  private Node repeated(AliasEvent alias, int depth) {
    aliases++;
    if (aliases > MAX_ALIASES) {
      throw new SyntaxException(
          Rule.TOO_MANY_NODES,
          position(alias),
          "the file uses more than " + MAX_ALIASES + " aliases");
    }
    Anchored anchored = anchors.get(alias.getAlias());
    if (anchored == null) {
      throw new SyntaxException(
          Rule.UNKNOWN_ANCHOR,
          position(alias),
          "the alias '*"
              + Text.abbreviate(alias.getAlias().getValue())
              + "' has no anchor before it");
    }
    count(alias, anchored.size());
    checkDepth(alias, depth + anchored.height());
    deepest = Math.max(deepest, depth + anchored.height());
    return anchored.node();
  }

  private Node remember(Optional<Anchor> anchor, Node node, int depth, int sizeBefore) {
    anchor.ifPresent(
        name -> anchors.put(name, new Anchored(node, nodes - sizeBefore + 1, deepest - depth)));
    return node;
  }

  private static void checkDepth(Event event, int depth) {
    if (depth > MAX_DEPTH) {
      throw new SyntaxException(
          Rule.TOO_DEEP,
          position(event),
          "lists and mappings are nested more than " + MAX_DEPTH + " deep");
    }
  }

  private void count(Event event, int more) {
    nodes += more;
    if (nodes > MAX_NODES) {
      throw new SyntaxException(
          Rule.TOO_MANY_NODES,
          position(event),
          "the file unfolds to more than " + MAX_NODES + " values");
    }
  }

  private void checkTag(Optional<String> tag, Event event) {
    if (tag.isPresent() && !HARMLESS_TAGS.contains(tag.get())) {
      report(
          Rule.CUSTOM_TAG,
          position(event),
          "the tag '"
              + Text.abbreviate(tag.get())
              + "' is not supported; write the value without a tag");
    }
  }

  private void report(Rule rule, Position position, String message) {
    if (problems.size() < Reading.MAX_PROBLEMS) {
      problems.add(new Problem(rule, position, "", message));
    }
  }

  private static Position position(Event event) {
    return YamlReader.positionOf(event.getStartMark());
  }
}
