package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import java.io.InputStream;
import java.util.Locale;

/** Whose layout of files a catalog has. */
public enum CatalogFormat {
  GPUHUNT,
  SKYPILOT;

  public static CatalogFormat of(String word) {
    for (CatalogFormat format : values()) {
      if (format.word().equals(word.toLowerCase(Locale.ROOT))) {
        return format;
      }
    }
    throw new CatalogException("There is no format '" + word + "'. Use gpuhunt or skypilot.");
  }

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  ReadRows read(String provider, String file, InputStream text, ReadLimits limits) {
    return switch (this) {
      case GPUHUNT -> GpuhuntReader.read(provider, file, text, limits);
      case SKYPILOT -> SkypilotReader.read(provider, file, text, limits);
    };
  }
}
