package dev.berth.grammar;

import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.Range;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Processors: {@code 4}, {@code 2..8}, {@code arm:4..}, a range as a mapping, or a mapping of arch
 * and count.
 */
record CpuShape(RecordShape<CpuSpec> mapping) implements Shape<CpuSpec> {
  @Override
  public @Nullable CpuSpec read(Node node, Reading reading) {
    if (node instanceof Node.Scalar scalar) {
      return parse(scalar, reading);
    }
    if (node instanceof Node.Mapping bounds
        && !bounds.entries().isEmpty()
        && List.of("min", "max").containsAll(bounds.entries().keySet())) {
      Range<Integer> count = RangeShape.COUNT.read(node, reading);
      return count == null ? null : new CpuSpec(null, count);
    }
    return mapping.read(node, reading);
  }

  private static @Nullable CpuSpec parse(Node.Scalar scalar, Reading reading) {
    CpuArchitecture architecture = null;
    Range<Integer> count = null;
    for (String token : scalar.text().replace(" ", "").split(":", 4)) {
      CpuArchitecture found = Resources.architecture(token);
      boolean isCount = token.contains("..") || Scalars.parseInteger(token) != null;
      if (found != null && architecture == null) {
        architecture = found;
      } else if (isCount && count == null) {
        count = RangeShape.COUNT.parse(token, scalar, reading);
        if (count == null) {
          return null;
        }
      } else {
        reading.error(
            Rule.CPU_SYNTAX,
            scalar,
            complaint(token, found != null || isCount)
                + "; expected cores such as 4, 2..8 or arm:4..");
        return null;
      }
    }
    return new CpuSpec(
        architecture, count == null && reading.fillsDefaults() ? Range.atLeast(2) : count);
  }

  private static String complaint(String token, boolean repeated) {
    if (token.isEmpty()) {
      return "a part is empty";
    }
    return repeated
        ? "'" + token + "' repeats what was said before"
        : "'" + Text.abbreviate(token) + "' is neither a number of cores nor x86 or arm";
  }

  @Override
  public List<? extends Shape<?>> parts() {
    return List.of(mapping);
  }

  @Override
  public @Nullable Object write(CpuSpec value) {
    return mapping.write(value);
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    String architecture = "\\s*([xX]86|[aA][rR][mM])\\s*";
    String count = RangeShape.COUNT.syntax();
    return SchemaBuilder.anyOf(
        List.of(
            RangeShape.COUNT.schema(schemas),
            SchemaBuilder.text(
                "^("
                    + architecture
                    + "|"
                    + architecture
                    + ":"
                    + count
                    + "|"
                    + count
                    + ":"
                    + architecture
                    + ")$"),
            mapping.schema(schemas)));
  }
}
