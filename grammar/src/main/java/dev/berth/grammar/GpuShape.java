package dev.berth.grammar;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.Size;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Accelerators: parts in any order joined by colons, each kind at most once ({@code
 * A100,H100:80GB:2}), or a mapping.
 */
record GpuShape(RecordShape<GpuSpec> mapping) implements Shape<GpuSpec> {
  static final int MAX_NAMES = 1_000;
  private static final String TPU_PREFIX = "tpu-";

  /** Sizes of GPU memory that people write without their unit. */
  private static final Set<String> COMMON_GB =
      Set.of("20", "24", "32", "40", "48", "64", "80", "94", "96", "141", "180", "192", "288");

  /** One more than there are kinds of parts: the next one repeats something. */
  private static final int MAX_PARTS = 5;

  @Override
  public @Nullable GpuSpec read(Node node, Reading reading) {
    return node instanceof Node.Scalar scalar
        ? new Parts(scalar, reading).read()
        : mapping.read(node, reading);
  }

  static String withoutTpuPrefix(String name, Node node, Reading reading) {
    // The normalised form has no prefix any more, so what looks like one is part of the name.
    boolean prefixed = name.startsWith(TPU_PREFIX) && name.length() > TPU_PREFIX.length();
    if (!prefixed || reading.isNormal()) {
      return name;
    }
    reading.warning(
        Rule.FIELD_DEPRECATED,
        node.position(),
        "the prefix 'tpu-' is old; write the vendor instead, such as tpu:"
            + name.substring(TPU_PREFIX.length()));
    return name.substring(TPU_PREFIX.length());
  }

  @Override
  public List<? extends Shape<?>> parts() {
    return List.of(mapping);
  }

  @Override
  public @Nullable Object write(GpuSpec value) {
    return mapping.write(value);
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    String names = "\\s*[a-zA-Z][^:,]*(,\\s*[^:,\\s][^:,]*)*";
    String part =
        "(" + names + "|" + RangeShape.SIZE.syntax() + "|" + RangeShape.COUNT.syntax() + ")";
    return SchemaBuilder.anyOf(
        List.of(
            Map.of("type", "integer", "minimum", 0),
            SchemaBuilder.text("^" + part + "(:" + part + "){0,3}$"),
            mapping.schema(schemas)));
  }

  /** The parts of one text as they are found. */
  private static final class Parts {
    private final Node.Scalar scalar;
    private final Reading reading;
    private @Nullable AcceleratorVendor vendor;
    private @Nullable List<String> names;
    private @Nullable Range<Size> memory;
    private @Nullable Range<Integer> count;

    Parts(Node.Scalar scalar, Reading reading) {
      this.scalar = scalar;
      this.reading = reading;
    }

    @Nullable GpuSpec read() {
      for (String token : scalar.text().replace(" ", "").split(":", MAX_PARTS + 1)) {
        if (!take(token)) {
          return null;
        }
      }
      return new GpuSpec(
          vendor,
          names == null ? List.of() : names,
          count == null ? Range.atLeast(1) : count,
          memory,
          null,
          null);
    }

    private boolean take(String token) {
      if (token.isEmpty()) {
        return refuse("a part is empty");
      }
      AcceleratorVendor found = Resources.vendor(token);
      if (found != null) {
        boolean first = vendor == null;
        vendor = found;
        return first || refuse("the vendor is given twice");
      }
      if (Character.isLetter(token.charAt(0))) {
        return takeNames(token);
      }
      if (token.chars().anyMatch(Character::isLetter)) {
        if (memory != null) {
          return refuse("the memory is given twice");
        }
        memory = RangeShape.SIZE.parse(token, scalar, reading);
        return memory != null;
      }
      if (count != null) {
        return refuse("the count is given twice");
      }
      count = RangeShape.COUNT.parse(token, scalar, reading);
      warnOfMemory(token);
      return count != null;
    }

    /** Nobody rents so many of one model, but a GPU of that many gigabytes exists. */
    private void warnOfMemory(String token) {
      if (count != null && count.isSingleValue() && names != null && COMMON_GB.contains(token)) {
        String meant = String.join(",", names) + ":" + token + "GB";
        reading.warning(
            Rule.GPU_COUNT,
            scalar.position(),
            "this asks for " + token + " GPUs; did you mean " + Text.abbreviate(meant) + "?");
      }
    }

    private boolean takeNames(String token) {
      if (names != null) {
        return refuse("the names are given twice; join several with a comma");
      }
      List<String> found = List.of(token.split(",", MAX_NAMES + 1));
      if (found.size() > MAX_NAMES) {
        return refuse("there are more than " + MAX_NAMES + " names");
      }
      if (found.stream().anyMatch(String::isEmpty)) {
        return refuse("a name is empty");
      }
      names = found.stream().map(name -> withoutTpuPrefix(name, scalar, reading)).toList();
      return true;
    }

    private boolean refuse(String why) {
      reading.error(
          Rule.GPU_SYNTAX,
          scalar,
          why + "; expected parts such as A100:80GB:2, amd:4.. or 24GB..40GB");
      return false;
    }
  }
}
