package dev.berth.model.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A record keeps what it was made of, whatever happens to the collections it was made from. */
final class RecordsAreImmutableTest {
  @Test
  void listsAreCopied() {
    List<String> names = new ArrayList<>(List.of("A100"));
    GpuSpec gpu = new GpuSpec(null, names, Range.atLeast(1), null, null, null);
    names.add("H100");
    assertThat(gpu.name()).containsExactly("A100");
  }

  @Test
  void mapsAreCopiedAndKeepTheirOrder() {
    Map<String, Object> options = new HashMap<>(Map.of("a", 1));
    BackendOptions made = new BackendOptions("sim", options);
    BackendDeclaration declared = new BackendDeclaration("sim", null, options);
    options.put("b", 2);
    assertThat(made.options()).containsOnlyKeys("a");
    assertThat(declared.settings()).containsOnlyKeys("a");
  }
}
