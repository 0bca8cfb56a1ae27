package dev.berth.grammar;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/** The rows of {@code field-cases.txt}, which explains itself. */
final class FieldTable {
  private static final List<String> SURROUNDINGS = List.of("base", "with", "without");

  /** One line of the table. */
  record Row(String field, String verdict, String value) {
    boolean isSurrounding() {
      return SURROUNDINGS.contains(verdict);
    }

    boolean isGood() {
      return verdict.equals("good");
    }
  }

  private final Map<String, List<Row>> rows = new LinkedHashMap<>();

  static FieldTable load() {
    FieldTable table = new FieldTable();
    for (String line : resource("field-cases.txt").lines().toList()) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] columns = line.split("\\s{2,}", 3);
        Row row = new Row(columns[0], columns[1], columns[2]);
        table.rows.computeIfAbsent(row.field(), _ -> new ArrayList<>()).add(row);
      }
    }
    return table;
  }

  static String resource(String name) {
    try (InputStream in = FieldTable.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of all fields that the table speaks of. */
  Iterable<String> fields() {
    return rows.keySet();
  }

  /** The values for a field where it stands. */
  List<Row> values(FieldPath.Step step) {
    List<Row> inRecord = values(step.inRecord());
    return inRecord.isEmpty() ? values(step.inOwner()) : inRecord;
  }

  private List<Row> values(String field) {
    return rows.getOrDefault(field, List.of()).stream()
        .filter(row -> !row.isSurrounding())
        .toList();
  }

  /** The lines of the record that stand in every file, in order. */
  SequencedMap<String, String> base(FieldPath.Step step) {
    SequencedMap<String, String> lines = new LinkedHashMap<>();
    String prefix = step.record().type().getSimpleName() + ".";
    rows.forEach(
        (field, values) -> {
          if (field.startsWith(prefix)) {
            values.stream()
                .filter(row -> row.verdict().equals("base"))
                .forEach(row -> lines.put(field.substring(prefix.length()), row.value()));
          }
        });
    return lines;
  }

  /** The lines of the record that go with a field. */
  SequencedMap<String, String> around(FieldPath.Step step) {
    SequencedMap<String, String> lines = base(step);
    for (Row row : rows.getOrDefault(step.inRecord(), List.of())) {
      if (row.verdict().equals("without")) {
        lines.remove(row.value());
      } else if (row.verdict().equals("with")) {
        String[] entry = row.value().split(": ", 2);
        lines.put(entry[0], entry[1]);
      }
    }
    return lines;
  }
}
