package dev.berth.backends.sim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.Set;

/** All of one kind that a cloud holds, in the order in which they came; knows what is new of it. */
final class Register<T> {
  private final LinkedHashMap<String, T> all = new LinkedHashMap<>();
  private final Map<String, List<String>> idsByKey = new HashMap<>();

  /** What was written or dropped since it was last settled. */
  private final Set<String> changed = new LinkedHashSet<>();

  void put(String id, String key, T value) {
    if (all.put(id, value) == null) {
      idsByKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(id);
    }
    changed.add(id);
  }

  void drop(String id, String key) {
    all.remove(id);
    changed.add(id);
    List<String> left =
        idsByKey.getOrDefault(key, List.of()).stream().filter(other -> !other.equals(id)).toList();
    if (left.isEmpty()) {
      idsByKey.remove(key);
    } else {
      idsByKey.put(key, new ArrayList<>(left));
    }
  }

  Optional<T> find(String id) {
    return Optional.ofNullable(all.get(id));
  }

  List<T> ofKey(String key) {
    return idsByKey.getOrDefault(key, List.of()).stream().flatMap(id -> find(id).stream()).toList();
  }

  Collection<T> values() {
    return Collections.unmodifiableCollection(all.values());
  }

  SequencedCollection<T> newestFirst() {
    return all.sequencedValues().reversed();
  }

  /** What was written, as it is now. */
  List<T> written() {
    return changed.stream().flatMap(id -> find(id).stream()).toList();
  }

  /** The ids of what was dropped. */
  List<String> dropped() {
    return changed.stream().filter(id -> !all.containsKey(id)).toList();
  }

  /** Nothing is new any more. */
  void settle() {
    changed.clear();
  }
}
