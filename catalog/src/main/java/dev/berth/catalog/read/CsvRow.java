package dev.berth.catalog.read;

import de.siegmar.fastcsv.reader.CsvRecord;
import java.util.Map;
import java.util.OptionalDouble;

/** A row of a CSV file, by the names of its columns. */
record CsvRow(String file, Map<String, Integer> columns, CsvRecord record) {
  private static final int LONGEST_NUMBER = 40;

  String where() {
    return file + ":" + record.getStartingLineNumber();
  }

  /** Without blanks around it; empty where the file has no such column. */
  String text(String column) {
    Integer index = columns.get(column);
    return index == null ? "" : record.getField(index).strip();
  }

  String required(String column, RefusalReason otherwise) throws RowRefusedException {
    String text = text(column);
    if (text.isEmpty()) {
      throw new RowRefusedException(otherwise);
    }
    return text;
  }

  /** A number that is not negative and at most so large; empty where nothing is written. */
  OptionalDouble number(String column, double atMost) throws RowRefusedException {
    String text = text(column);
    return text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(parse(text, atMost));
  }

  double number(String column, double atMost, RefusalReason otherwise) throws RowRefusedException {
    return parse(required(column, otherwise), atMost);
  }

  /** Java also reads NaN, Infinity, 0x1p3 and 1d as numbers; no catalog means them. */
  static double parse(String text, double atMost) throws RowRefusedException {
    boolean plain =
        text.length() <= LONGEST_NUMBER
            && text.chars()
                .allMatch(
                    c ->
                        (c >= '0' && c <= '9')
                            || c == '.'
                            || c == 'e'
                            || c == 'E'
                            || c == '-'
                            || c == '+');
    if (plain) {
      try {
        double number = Double.parseDouble(text);
        if (number >= 0 && number <= atMost) {
          // Not -0.0, which would differ from 0 in comparisons.
          return number + 0.0;
        }
      } catch (NumberFormatException e) {
        throw new RowRefusedException(RefusalReason.BAD_NUMBER, e);
      }
    }
    throw new RowRefusedException(RefusalReason.BAD_NUMBER);
  }
}
