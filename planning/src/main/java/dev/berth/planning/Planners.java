package dev.berth.planning;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The planners that there are, by the type of run. */
public final class Planners {
  private final Map<String, Planner<?>> byType;

  /**
   * Those given.
   *
   * @throws IllegalArgumentException if two of them are for the same type
   */
  public Planners(List<? extends Planner<?>> planners) {
    Map<String, Planner<?>> found = new TreeMap<>();
    for (Planner<?> planner : planners) {
      Planner<?> other = found.put(planner.type(), planner);
      if (other != null) {
        throw new IllegalArgumentException(
            "runs of type '%s' have two planners: %s and %s"
                .formatted(
                    planner.type(), other.getClass().getName(), planner.getClass().getName()));
      }
    }
    this.byType = Collections.unmodifiableMap(found);
  }

  /** Those that are registered on the class path. */
  @SuppressWarnings("rawtypes") // a class literal names no type arguments
  public static Planners installed() {
    ServiceLoader<Planner> loader =
        ServiceLoader.load(Planner.class, Planner.class.getClassLoader());
    return new Planners(
        loader.stream().<Planner<?>>map(provider -> (Planner<?>) provider.get()).toList());
  }

  public Optional<Planner<?>> find(String type) {
    return Optional.ofNullable(byType.get(type));
  }

  /** What can be run, for sentences to users: "services and tasks". */
  public String words() {
    List<String> words = byType.keySet().stream().map(Planners::plural).toList();
    return words.size() < 2
        ? String.join("", words)
        : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
  }

  /** Several runs of a type, in a word. */
  public static String plural(String type) {
    return type + (type.endsWith("s") ? "" : "s");
  }
}
