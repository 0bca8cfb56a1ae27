package dev.berth.grammar;

import dev.berth.model.config.GatewayChoice;
import dev.berth.model.config.HttpsMode;
import dev.berth.model.config.Range;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of a service that have several spellings. */
final class ServiceChoices {
  private ServiceChoices() {}

  /** A number of replicas or a range with an upper bound; an open lower bound is zero. */
  record ReplicasShape(boolean takesOldGroups) implements Shape<Range<Integer>> {
    private static final RangeShape<Integer> COUNT = RangeShape.upTo(Counts.MOST_REPLICAS);

    @Override
    public @Nullable Range<Integer> read(Node node, Reading reading) {
      Range<Integer> range = COUNT.read(node, reading);
      if (range == null) {
        return null;
      }
      if (range.max() == null) {
        reading.error(
            Rule.REPLICAS_BOUNDS,
            node,
            "the number of replicas needs an upper bound, such as 1..4");
        return null;
      }
      return range.min() == null ? new Range<>(0, range.max()) : range;
    }

    @Override
    public @Nullable Object write(Range<Integer> value) {
      return COUNT.write(value);
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      Map<String, Object> open =
          Map.of(
              "anyOf",
              List.of(
                  Map.of("type", "string", "pattern", "\\.\\.\\s*$"),
                  Map.of("type", "object", "not", SchemaRules.set("max"))));
      Map<String, Object> range =
          Map.of("allOf", List.of(COUNT.schema(schemas), Map.of("not", open)));
      Map<String, Object> oldGroups =
          Map.of("type", "array", "deprecated", true, "items", Map.of("type", "object"));
      return takesOldGroups ? SchemaBuilder.anyOf(List.of(range, oldGroups)) : range;
    }
  }

  static final class GatewayShape implements Shape<GatewayChoice> {
    @Override
    public @Nullable GatewayChoice read(Node node, Reading reading) {
      // Quotes do not matter, as for every other switch; a mapping names a gateway called "on".
      Boolean flag =
          node instanceof Node.Scalar scalar ? Scalars.parseBoolean(scalar.text()) : null;
      if (flag != null) {
        return new GatewayChoice.Switch(flag);
      }
      var reference = Shorthands.REFERENCE.read(node, reading);
      return reference == null ? null : new GatewayChoice.Named(reference);
    }

    @Override
    public List<? extends Shape<?>> parts() {
      return List.of(Shorthands.REFERENCE);
    }

    @Override
    public @Nullable Object write(GatewayChoice value) {
      return switch (value) {
        case GatewayChoice.Switch choice -> choice.on();
        case GatewayChoice.Named named -> Shorthands.REFERENCE.write(named.gateway());
      };
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(
          List.of(Map.of("type", "boolean"), Shorthands.REFERENCE.schema(schemas)));
    }
  }

  static final class HttpsShape implements Shape<HttpsMode> {
    @Override
    public @Nullable HttpsMode read(Node node, Reading reading) {
      String text = Scalars.scalarText(node, reading, Rule.EXPECTED_CHOICE, "true, false or auto");
      if (text == null) {
        return null;
      }
      Boolean flag = Scalars.parseBoolean(text);
      if (flag == null && !text.equals("auto")) {
        reading.error(
            Rule.EXPECTED_CHOICE, node, "expected true, false or auto, found " + node.kindName());
        return null;
      }
      return flag == null ? HttpsMode.AUTO : flag ? HttpsMode.TRUE : HttpsMode.FALSE;
    }

    @Override
    public Object write(HttpsMode value) {
      return switch (value) {
        case TRUE -> true;
        case FALSE -> false;
        case AUTO -> "auto";
      };
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(List.of(Scalars.BOOLEAN.schema(schemas), Map.of("const", "auto")));
    }
  }
}
