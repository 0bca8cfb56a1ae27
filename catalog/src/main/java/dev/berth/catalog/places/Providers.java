package dev.berth.catalog.places;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The names under which catalogs know one and the same provider. */
public final class Providers {
  private static final List<Set<String>> SAME =
      List.of(
          Set.of("lambdalabs", "lambda"),
          Set.of("vastai", "vast"),
          Set.of("digitalocean", "do"),
          Set.of("verda", "datacrunch"));

  private Providers() {}

  /** All names of a provider, the given one among them, in lower case. */
  public static Set<String> same(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return SAME.stream().filter(names -> names.contains(lower)).findFirst().orElse(Set.of(lower));
  }
}
