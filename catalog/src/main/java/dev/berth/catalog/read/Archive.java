package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A file of a catalog as it was published: a zip, a gzip or the text itself, told by its first
 * bytes. Nothing is unpacked to disk, and names within are only compared.
 */
final class Archive {
  private final Path file;
  private final String name;
  private final ReadLimits limits;

  /**
   * Names a file; it is not opened yet.
   *
   * @param name how messages name it
   */
  Archive(Path file, String name, ReadLimits limits) {
    this.file = file;
    this.name = name;
    this.limits = limits;
  }

  boolean isZip() {
    return startsWith('P', 'K');
  }

  /** The CSV files in a zip, in their order. */
  List<String> csvNames() {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return csvNames(zip);
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  /**
   * Reads the text.
   *
   * @param entry which file of a zip; null for the only one
   */
  <T> T read(@Nullable String entry, TextReader<T> reader) {
    try {
      if (isZip()) {
        try (ZipFile zip = new ZipFile(file.toFile())) {
          return readEntry(zip, entry == null ? onlyCsv(zip) : entry, reader);
        }
      }
      try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
        if (startsWith(0x1f, 0x8b)) {
          try (InputStream gzip = new GZIPInputStream(raw, 1 << 16)) {
            return reader.read(name, new Unpacking(name, gzip, Files.size(file), limits));
          }
        }
        return reader.read(name, raw);
      }
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  /** Takes the name of a text, for messages, and the text. */
  interface TextReader<T> {
    T read(String name, InputStream text) throws IOException;
  }

  private <T> T readEntry(ZipFile zip, String entryName, TextReader<T> reader) throws IOException {
    String whole = name + "/" + entryName;
    ZipEntry entry = zip.getEntry(entryName);
    if (entry == null) {
      throw new CatalogException(name + ": The archive has no file " + entryName + ".");
    }
    try (InputStream in = zip.getInputStream(entry);
        Unpacking text = new Unpacking(whole, in, entry.getCompressedSize(), limits)) {
      T read = reader.read(whole, text);
      if (entry.getCrc() != -1 && text.checksum() != entry.getCrc()) {
        throw new CatalogException(whole + ": The archive is damaged: the checksum differs.");
      }
      return read;
    }
  }

  private String onlyCsv(ZipFile zip) {
    List<String> names = csvNames(zip);
    if (names.size() != 1) {
      throw new CatalogException(
          name
              + ": One CSV file is expected in the archive, it has "
              + (names.isEmpty() ? "none" : String.join(", ", first(names)))
              + ".");
    }
    return names.getFirst();
  }

  private static List<String> first(List<String> names) {
    return names.subList(0, Math.min(names.size(), 10));
  }

  private List<String> csvNames(ZipFile zip) {
    if (zip.size() > limits.entries()) {
      throw new CatalogException(
          name + ": The archive has more than " + limits.entries() + " files.");
    }
    return zip.stream()
        .map(ZipEntry::getName)
        .peek(this::requireTame)
        .filter(entry -> entry.toLowerCase(Locale.ROOT).endsWith(".csv"))
        .toList();
  }

  /** Nothing is written under these names, but who makes such an archive means no good. */
  private void requireTame(String entry) {
    boolean climbs = List.of(entry.split("[/\\\\]")).contains("..");
    boolean absolute = entry.startsWith("/") || entry.startsWith("\\") || entry.contains(":");
    if (climbs || absolute) {
      throw new CatalogException(
          name + ": The archive has a file outside of itself: " + printable(entry));
    }
  }

  private static String printable(String text) {
    String shown = text.length() > 100 ? text.substring(0, 100) + "..." : text;
    return shown.replaceAll("\\p{Cntrl}", "?");
  }

  private boolean startsWith(int... magic) {
    try (InputStream in = Files.newInputStream(file)) {
      for (int expected : magic) {
        if (in.read() != expected) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new CatalogException(name + ": The file cannot be read: " + e, e);
    }
  }

  private CatalogException damaged(IOException e) {
    Function<Throwable, String> words =
        it -> it.getMessage() == null ? it.toString() : it.getMessage();
    return new CatalogException(name + ": The file is damaged: " + words.apply(e) + ".", e);
  }
}
