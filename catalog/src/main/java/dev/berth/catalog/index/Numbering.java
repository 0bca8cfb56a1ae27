package dev.berth.catalog.index;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/** Gives each key its number, counted from 0, for whoever writes a dictionary. */
final class Numbering<K> {
  private final Map<K, Integer> numbers;

  /** Numbers keys, none of which comes twice, in their order. */
  Numbering(Collection<K> keys) {
    numbers = LinkedHashMap.newLinkedHashMap(keys.size());
    keys.forEach(key -> numbers.put(key, numbers.size()));
  }

  int size() {
    return numbers.size();
  }

  /** The keys, in the order of their numbers. */
  Set<K> keys() {
    return numbers.keySet();
  }

  int id(K key) {
    Integer id = numbers.get(key);
    if (id == null) {
      throw new IllegalArgumentException("the dictionary does not have " + key);
    }
    return id;
  }

  void forEach(ObjIntConsumer<K> consumer) {
    numbers.forEach(consumer::accept);
  }
}
