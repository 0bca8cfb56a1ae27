package dev.berth.catalog.read;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.berth.catalog.CatalogException;
import dev.berth.spi.OfferSource.RefusedRow;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Reads a CSV file row by row. What is wrong with a row ends the row; with the file, the file. */
final class CsvFile {
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  private CsvFile() {}

  /** Takes the rows in their order. */
  interface Visitor {
    void visit(CsvRow row) throws RowRefusedException;
  }

  /**
   * Shows each row to the visitor and collects those that it refuses.
   *
   * @return how many rows there were
   * @throws CatalogException where the file is broken
   */
  static long read(
      String file,
      InputStream in,
      ReadLimits limits,
      List<String> requiredColumns,
      List<RefusedRow> refused,
      Visitor visitor) {
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .ofCsvRecord(
                new InputStreamReader(new CheckedText(file, in, limits), StandardCharsets.UTF_8))) {
      Iterator<CsvRecord> records = reader.iterator();
      Map<String, Integer> columns = header(file, records, requiredColumns);
      long rows = 0;
      while (records.hasNext()) {
        CsvRow row = new CsvRow(file, columns, records.next());
        rows++;
        if (rows > limits.rows()) {
          throw CatalogException.at(
              file,
              row.record().getStartingLineNumber(),
              "The file has more than " + limits.rows() + " rows.");
        }
        if (rows % ROWS_BETWEEN_LOOKS == 0 && Thread.currentThread().isInterrupted()) {
          throw CatalogException.at(
              file, row.record().getStartingLineNumber(), "Reading was interrupted.");
        }
        try {
          if (row.record().getFieldCount() != columns.size()) {
            throw new RowRefusedException(RefusalReason.FIELD_COUNT);
          }
          visitor.visit(row);
        } catch (RowRefusedException e) {
          refused.add(new RefusedRow(row.where(), e.reason().sentence()));
        }
      }
      return rows;
    } catch (CsvParseException | UncheckedIOException | IOException e) {
      throw broken(file, e);
    }
  }

  private static Map<String, Integer> header(
      String file, Iterator<CsvRecord> records, List<String> requiredColumns) {
    CsvRecord first;
    try {
      first = records.next();
    } catch (NoSuchElementException e) {
      throw new CatalogException(file + ":1: The file is empty; a header is expected.", e);
    }
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < first.getFieldCount(); i++) {
      String name = first.getField(i).strip();
      if (i == 0 && name.startsWith("\uFEFF")) {
        name = name.substring(1);
      }
      if (columns.put(name, i) != null) {
        throw CatalogException.at(file, 1, "The header has the column '" + name + "' twice.");
      }
    }
    for (String required : requiredColumns) {
      if (!columns.containsKey(required)) {
        throw CatalogException.at(file, 1, "The header lacks the column '" + required + "'.");
      }
    }
    return Map.copyOf(columns);
  }

  /** The library wraps what the stream below it throws. */
  private static CatalogException broken(String file, Exception e) {
    Throwable deepest = e;
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CatalogException ours) {
        return ours;
      }
      deepest = cause;
    }
    return new CatalogException(file + ": The file is damaged: " + deepest.getMessage() + ".", e);
  }
}
