package dev.berth.hosts.gpus;

import java.util.Arrays;
import java.util.List;

/** Reads what {@code --format=csv,noheader,nounits} prints: fields without quotes or commas. */
final class CommaLines {
  private CommaLines() {}

  /** The fields of each line, stripped; blank lines are left out. */
  static List<List<String>> read(String output, int fields) {
    return output
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> fields(line, fields))
        .toList();
  }

  private static List<String> fields(String line, int expected) {
    List<String> fields = Arrays.stream(line.split(",", -1)).map(String::strip).toList();
    if (fields.size() != expected) {
      throw new UnreadableOutputException(
          "expected %d fields and found the line '%s'".formatted(expected, line.strip()));
    }
    return fields;
  }

  /** A number of mebibytes; 0 where the tool knows none, as for memory that is the machine's. */
  static long mib(String field) {
    return field.matches("[0-9]{1,12}") ? Long.parseLong(field) : 0;
  }
}
