package dev.berth.grammar;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A list of groups in which every group has a name of its own; unnamed ones are called by their
 * position.
 */
record NamedGroups<G>(
    ListShape<G> list,
    Function<G, @Nullable String> name,
    java.util.function.BiFunction<G, String, G> named)
    implements Shape<List<G>> {
  @Override
  public @Nullable List<G> read(Node node, Reading reading) {
    List<G> groups = list.read(node, reading);
    if (groups == null) {
      return null;
    }
    if (groups.isEmpty()) {
      reading.error(
          Rule.GROUPS_EMPTY,
          node,
          "the list of groups is empty; write at least one group or remove it");
      return null;
    }
    Set<String> names = new HashSet<>();
    List<G> result = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      String written = name.apply(groups.get(i));
      String unique = written == null ? String.valueOf(i) : written;
      if (!names.add(unique)) {
        reading.error(
            Rule.GROUP_NAMES,
            node,
            "two groups are called '" + unique + "'; give each its own name");
        return null;
      }
      result.add(named.apply(groups.get(i), unique));
    }
    return List.copyOf(result);
  }

  @Override
  public List<? extends Shape<?>> parts() {
    return List.of(list);
  }

  @Override
  public @Nullable Object write(List<G> value) {
    return list.write(value);
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    return ListShape.of(list.item(), 1, list.maxItems()).schema(schemas);
  }
}
