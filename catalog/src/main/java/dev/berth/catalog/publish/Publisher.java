package dev.berth.catalog.publish;

import dev.berth.catalog.AtomicFiles;
import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.model.Sha256;
import dev.berth.model.offers.CatalogItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes a catalog in gpuhunt's v3 layout with a signed manifest. Suspects are not published, since
 * the layout has no way to mark them. A provider that several sources know gets one file with all
 * its offers. Old versions stay; what is already there with the same content stays as it is. A
 * provider that was published before and is not given now stays in the manifest.
 *
 * <p>Each file appears whole or not at all, and the file that names a provider's newest version is
 * the last that is written, so a reader never finds a version without its catalog.
 */
public final class Publisher {
  private static final String LATEST = "latest";
  private static final String VERSION_FILE = "version";
  private static final Pattern DATED = Pattern.compile("\\d{8}-\\d{1,9}");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyyMMdd").withZone(ZoneOffset.UTC);

  private final Path folder;
  private final KeyPair key;

  private Publisher(Path folder, KeyPair key) {
    this.folder = folder;
    this.key = key;
  }

  /**
   * Publishes into a folder, which is made where it is missing. One process at a time may publish.
   *
   * @throws CatalogException where a file cannot be written, or where the folder has a manifest of
   *     another key
   */
  public static Manifest publish(Path folder, Collection<SnapshotContent> contents, KeyPair key) {
    try {
      return new Publisher(folder, key).publish(contents);
    } catch (IOException e) {
      throw new CatalogException("The catalog cannot be published to " + folder + ": " + e, e);
    }
  }

  private Manifest publish(Collection<SnapshotContent> contents) throws IOException {
    SortedMap<String, Manifest.Entry> entries = new TreeMap<>();
    if (Files.exists(folder.resolve(Manifest.FILE))) {
      entries.putAll(Manifest.readSigned(folder, key.getPublic()).providers());
    }
    Map<String, Provider> providers = byName(contents);
    providers.keySet().forEach(name -> Manifest.requireName(name, "provider"));
    for (Provider provider : providers.values()) {
      entries.put(provider.name, writeCatalog(provider));
    }
    Manifest manifest = new Manifest(entries);
    writeSigned(manifest);
    for (String provider : providers.keySet()) {
      Manifest.Entry entry = entries.get(provider);
      if (entry != null) {
        AtomicFiles.write(
            folder.resolve(provider).resolve(VERSION_FILE),
            (entry.version() + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    }
    return manifest;
  }

  private static Map<String, Provider> byName(Collection<SnapshotContent> contents) {
    Map<String, Provider> providers = new TreeMap<>();
    for (SnapshotContent content : contents) {
      content.offers().stream()
          .collect(Collectors.groupingBy(CatalogItem::provider))
          .forEach(
              (name, offers) -> {
                Provider provider = providers.computeIfAbsent(name, Provider::new);
                provider.offers.addAll(offers);
                provider.contents.add(content);
              });
    }
    return providers;
  }

  private Manifest.Entry writeCatalog(Provider provider) throws IOException {
    byte[] zip = ProviderFile.zip(provider.name, provider.offers);
    String version = provider.firstVersion();
    Path file = file(provider.name, version);
    while (Files.exists(file) && !Arrays.equals(Files.readAllBytes(file), zip)) {
      version = following(version);
      file = file(provider.name, version);
    }
    if (!Files.exists(file)) {
      AtomicFiles.write(file, zip);
    }
    AtomicFiles.write(file(provider.name, LATEST), zip);
    return new Manifest.Entry(
        version, Sha256.of(zip), zip.length, provider.offers.size(), provider.oldest());
  }

  private void writeSigned(Manifest manifest) throws IOException {
    byte[] json = manifest.json();
    List<String> signatures = new ArrayList<>();
    signatures.add(signature(json));
    Path file = folder.resolve(Manifest.FILE);
    if (Files.exists(file)) {
      // Ed25519 gives one signature for a text, so this is the line that stands there already.
      String old = signature(Files.readAllBytes(file));
      if (!signatures.contains(old)) {
        signatures.add(old);
      }
    }
    AtomicFiles.write(
        folder.resolve(Manifest.PUBLIC_KEY),
        Keys.publicText(key.getPublic()).getBytes(StandardCharsets.US_ASCII));
    AtomicFiles.write(
        folder.resolve(Manifest.SIGNATURE),
        (String.join("\n", signatures) + "\n").getBytes(StandardCharsets.US_ASCII));
    AtomicFiles.write(file, json);
  }

  private String signature(byte[] bytes) {
    return Base64.getEncoder().encodeToString(Keys.sign(bytes, key.getPrivate()));
  }

  private Path file(String provider, String version) {
    return folder.resolve(provider).resolve(version).resolve(Manifest.ZIP);
  }

  private static String following(String version) {
    int dash = version.indexOf('-');
    return version.substring(0, dash + 1) + (Long.parseLong(version.substring(dash + 1)) + 1);
  }

  /** What is published of one provider. */
  private static final class Provider {
    private final String name;
    private final List<CatalogItem> offers = new ArrayList<>();
    private final List<SnapshotContent> contents = new ArrayList<>();

    Provider(String name) {
      this.name = name;
    }

    /** The version of the source where it is one of this layout, else the date and a number. */
    String firstVersion() {
      String own = contents.size() == 1 ? contents.getFirst().version() : null;
      return own != null && DATED.matcher(own).matches() ? own : DATE.format(newest()) + "-1";
    }

    Instant newest() {
      return contents.stream()
          .map(SnapshotContent::collectedAt)
          .max(Instant::compareTo)
          .orElseThrow();
    }

    Instant oldest() {
      return contents.stream()
          .map(SnapshotContent::collectedAt)
          .min(Instant::compareTo)
          .orElseThrow();
    }
  }
}
