package dev.berth.catalog.collect;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.berth.catalog.gate.Samples;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads every CSV of a folder: type, region, price. */
record CsvFolderSource(String name, Path folder) implements OfferSource {
  @Override
  public Kind kind() {
    return Kind.OFFLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    List<CatalogItem> items = new ArrayList<>();
    List<RefusedRow> refused = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.csv")) {
      for (Path file : files) {
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(file)) {
          rows.forEach(row -> read(file, row, items, refused));
        }
      }
    } catch (IOException e) {
      throw new BackendException.Transient(folder + " cannot be read: " + e, e);
    }
    return new Fetched(null, Samples.NOON, items, refused);
  }

  private static void read(
      Path file, NamedCsvRecord row, List<CatalogItem> items, List<RefusedRow> refused) {
    try {
      double price = Double.parseDouble(row.getField("price"));
      items.add(Samples.cpu(row.getField("type"), row.getField("region"), false, price));
    } catch (NumberFormatException _) {
      refused.add(
          new RefusedRow(
              file.getFileName() + ":" + row.getStartingLineNumber(), "the price is no number"));
    }
  }
}
