package dev.berth.cli;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;

/** Writes trees of maps, lists and plain values without a mapper, which takes long to get ready. */
final class PlainTree {
  private PlainTree() {}

  /** Whether all of a tree is of the types that are written here. */
  static boolean holds(@Nullable Object tree) {
    return switch (tree) {
      case null -> true;
      case Map<?, ?> map ->
          map.keySet().stream().allMatch(String.class::isInstance)
              && map.values().stream().allMatch(PlainTree::holds);
      case Collection<?> items -> items.stream().allMatch(PlainTree::holds);
      case String _, Boolean _, Integer _, Long _, Double _, BigDecimal _ -> true;
      default -> false;
    };
  }

  static String write(Object tree, PrettyPrinter printer) {
    StringWriter written = new StringWriter();
    try (JsonGenerator generator =
        new JsonFactory().createGenerator(new Context(printer), written)) {
      write(tree, generator);
    }
    return written.toString();
  }

  private static void write(@Nullable Object tree, JsonGenerator to) {
    switch (tree) {
      case null -> to.writeNull();
      case Map<?, ?> map -> {
        to.writeStartObject(map);
        map.forEach(
            (name, value) -> {
              to.writeName((String) name);
              write(value, to);
            });
        to.writeEndObject();
      }
      case Collection<?> items -> {
        to.writeStartArray(items, items.size());
        items.forEach(item -> write(item, to));
        to.writeEndArray();
      }
      case String text -> to.writeString(text);
      case Boolean truth -> to.writeBoolean(truth);
      case Integer number -> to.writeNumber(number);
      case Long number -> to.writeNumber(number);
      case Double number -> to.writeNumber(number);
      case BigDecimal number -> to.writeNumber(number);
      default -> throw new IllegalArgumentException("not plain: " + tree.getClass());
    }
  }

  private static final class Context extends ObjectWriteContext.Base {
    private final PrettyPrinter printer;

    Context(PrettyPrinter printer) {
      this.printer = printer;
    }

    @Override
    public PrettyPrinter getPrettyPrinter() {
      return printer;
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }
}
