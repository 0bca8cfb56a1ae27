package dev.berth.grammar;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Files of {@code dstack-files.txt} with one to three changes that a person might make, by intent
 * or by mistake. The same seed always makes the same mutant.
 */
final class Mutants {
  private static final List<String> WORDS =
      FieldTable.resource("dstack-words.txt")
          .lines()
          .filter(word -> !word.startsWith("#"))
          .toList();
  private static final String CHARACTERS = "0123456789.:,-+/*=_~$ eEaAxXgGmMtTbBsShHdDwW{}\"'";

  /** A scalar as it is written: with or without quotes. */
  record Word(String text, boolean plain) {}

  /** A place in a tree that something can be put at: under a key or at an index. */
  private record Place(Object container, Object key) {
    Object value() {
      return container instanceof Map<?, ?> map
          ? Objects.requireNonNull(map.get(key))
          : ((List<?>) container).get((Integer) key);
    }

    @SuppressWarnings("unchecked")
    void put(Object value) {
      if (container instanceof Map<?, ?> map) {
        ((Map<Object, Object>) map).put(key, value);
      } else {
        ((List<Object>) container).set((Integer) key, value);
      }
    }

    void remove() {
      if (container instanceof Map<?, ?> map) {
        map.remove(key);
      } else {
        ((List<?>) container).remove(((Integer) key).intValue());
      }
    }
  }

  private final List<String> files;
  private final Map<String, List<Object>> valuesOfKeys = new LinkedHashMap<>();

  Mutants() {
    String text = FieldTable.resource("dstack-files.txt");
    files = List.of(text.substring(text.indexOf("\n>>>\n") + 5).split("(?m)^>>>\n", -1));
    for (String file : files) {
      for (Place place : places(tree(file))) {
        if (place.key() instanceof String key) {
          valuesOfKeys.computeIfAbsent(key, _ -> new ArrayList<>()).add(place.value());
        }
      }
    }
  }

  /** The files before any change. */
  List<String> files() {
    return files;
  }

  String mutant(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    Object tree = tree(files.get(random.nextInt(files.size())));
    int changes = 1 + (random.nextInt(10) < 4 ? 1 : 0) + (random.nextInt(10) < 2 ? 1 : 0);
    for (int i = 0; i < changes; i++) {
      change(tree, random);
    }
    StringBuilder text = new StringBuilder();
    write(tree, 0, text);
    return text.toString();
  }

  private void change(Object tree, Random random) {
    List<Place> places = places(tree);
    if (places.isEmpty()) {
      return;
    }
    Place place = places.get(random.nextInt(places.size()));
    switch (random.nextInt(12)) {
      case 0 -> place.remove();
      case 1 -> misspell(place, random);
      case 2, 3 -> place.put(new Word(WORDS.get(random.nextInt(WORDS.size())), true));
      case 4, 5 -> {
        if (place.value() instanceof Word word) {
          place.put(new Word(tweaked(word.text(), random), word.plain()));
        }
      }
      case 6 -> {
        if (place.value() instanceof Word word) {
          place.put(new Word(word.text(), !word.plain()));
        }
      }
      case 7 -> place.put(other(place.value(), random));
      case 8, 9 -> likeElsewhere(place, random);
      case 10 -> addFrom(tree(files.get(random.nextInt(files.size()))), tree, random);
      default -> repeat(place);
    }
  }

  private static void misspell(Place place, Random random) {
    if (place.container() instanceof Map<?, ?> map && place.key() instanceof String key) {
      @SuppressWarnings("unchecked")
      Map<String, Object> entries = (Map<String, Object>) map;
      Object value = entries.remove(key);
      entries.put(tweaked(key, random), value);
    }
  }

  private static String tweaked(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    char c = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
    boolean atEnd = at == text.length();
    return switch (random.nextInt(3)) {
      case 0 -> text.substring(0, at) + c + text.substring(at);
      case 1 -> text.substring(0, at) + text.substring(atEnd ? at : at + 1);
      default -> text.substring(0, at) + c + text.substring(atEnd ? at : at + 1);
    };
  }

  private static Object other(Object value, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new ArrayList<>(List.of(value));
      case 1 -> new ArrayList<>();
      case 2 -> new LinkedHashMap<>(Map.of("min", value));
      default -> new Word("null", true);
    };
  }

  private void likeElsewhere(Place place, Random random) {
    if (place.key() instanceof String key && valuesOfKeys.containsKey(key)) {
      List<Object> values = valuesOfKeys.get(key);
      place.put(copy(values.get(random.nextInt(values.size()))));
    }
  }

  private static void addFrom(Object donor, Object tree, Random random) {
    if (donor instanceof Map<?, ?> from && tree instanceof Map<?, ?> to) {
      List<?> keys = List.copyOf(from.keySet());
      Object key = keys.get(random.nextInt(keys.size()));
      if (!key.equals("type") && !to.containsKey(key)) {
        new Place(to, key).put(new Place(from, key).value());
      }
    }
  }

  private static void repeat(Place place) {
    if (place.container() instanceof List<?> list) {
      @SuppressWarnings("unchecked")
      List<Object> items = (List<Object>) list;
      items.add(copy(place.value()));
    }
  }

  private static List<Place> places(Object tree) {
    List<Place> places = new ArrayList<>();
    collect(tree, places);
    return places;
  }

  private static void collect(Object tree, List<Place> places) {
    switch (tree) {
      case Map<?, ?> map ->
          map.forEach(
              (key, value) -> {
                places.add(new Place(map, key));
                collect(value, places);
              });
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          places.add(new Place(list, i));
          collect(list.get(i), places);
        }
      }
      default -> {}
    }
  }

  private static Object tree(String text) {
    return tree(YamlReader.read(text.getBytes(StandardCharsets.UTF_8)).root());
  }

  private static Object tree(Node node) {
    return switch (node) {
      case Node.Scalar scalar -> new Word(scalar.text(), scalar.plain());
      case Node.Sequence sequence ->
          new ArrayList<>(sequence.items().stream().map(Mutants::tree).toList());
      case Node.Mapping mapping -> {
        Map<String, Object> entries = new LinkedHashMap<>();
        mapping.entries().forEach((name, entry) -> entries.put(name, tree(entry.value())));
        yield entries;
      }
    };
  }

  private static Object copy(Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> {
        Map<Object, Object> copied = new LinkedHashMap<>();
        map.forEach((key, value) -> copied.put(key, copy(value)));
        yield copied;
      }
      case List<?> list -> new ArrayList<>(list.stream().map(Mutants::copy).toList());
      default -> tree;
    };
  }

  private static void write(Object tree, int depth, StringBuilder text) {
    String indent = "  ".repeat(depth);
    switch (tree) {
      case Map<?, ?> map when !map.isEmpty() ->
          map.forEach(
              (key, value) -> {
                text.append(indent).append(written(new Word((String) key, true))).append(':');
                value(value, depth, text);
              });
      case List<?> list when !list.isEmpty() ->
          list.forEach(
              item -> {
                text.append(indent).append('-');
                value(item, depth, text);
              });
      case Map<?, ?> _ -> text.append(indent).append("{}\n");
      case List<?> _ -> text.append(indent).append("[]\n");
      case Word word -> text.append(indent).append(written(word)).append('\n');
      default -> throw new IllegalStateException("not a tree: " + tree);
    }
  }

  private static void value(Object value, int depth, StringBuilder text) {
    if (value instanceof Word word) {
      text.append(' ').append(written(word)).append('\n');
    } else {
      text.append('\n');
      write(value, depth + 1, text);
    }
  }

  /** Without quotes only where every reader of YAML takes it for one scalar. */
  private static String written(Word word) {
    String text = word.text();
    boolean bare =
        word.plain()
            && text.matches("[A-Za-z0-9_./+~$-](?s:.*)|")
            && text.equals(text.strip())
            && !text.matches("(?s)-([ ].*)?|---.*|.*: .*|.*:|.* #.*|.*[\\n\"'].*");
    return bare ? text : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
