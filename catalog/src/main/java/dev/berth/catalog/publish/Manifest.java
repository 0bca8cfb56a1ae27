package dev.berth.catalog.publish;

import dev.berth.catalog.CatalogException;
import dev.berth.model.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a published catalog holds: the newest version of each provider, with its hash.
 *
 * <p>The signature file has a line for each signature, the newest first. While a catalog is
 * published it has one for the old and one for the new manifest, so a reader never sees a manifest
 * without its signature.
 */
public record Manifest(SortedMap<String, Entry> providers) {
  public static final String SCHEMA = "berth-catalog-manifest-1";
  public static final String FILE = "manifest.json";
  public static final String SIGNATURE = "manifest.sig";
  public static final String PUBLIC_KEY = "manifest.pub";
  static final String ZIP = "catalog.zip";

  /** Providers and versions are names of folders; nothing in them may lead elsewhere. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  public Manifest {
    providers.keySet().forEach(provider -> requireName(provider, "provider"));
    providers = Collections.unmodifiableSortedMap(new TreeMap<>(providers));
  }

  /**
   * The newest file of a provider.
   *
   * @param sha256 of the zip, in hexadecimal digits
   * @param size of the zip, in bytes
   * @param rows offers in it
   * @param collectedAt when the oldest of them was collected
   */
  public record Entry(String version, String sha256, long size, long rows, Instant collectedAt) {
    public Entry {
      requireName(version, "version");
    }
  }

  /**
   * Reads the manifest of a catalog, and checks its signature and the files that it lists.
   *
   * @throws CatalogException where anything is missing, damaged or signed by another key
   */
  public static Manifest verify(Path folder, PublicKey key) {
    Manifest manifest = readSigned(folder, key);
    manifest.providers.forEach(
        (provider, entry) -> {
          Path zip = folder.resolve(provider).resolve(entry.version()).resolve(ZIP);
          byte[] bytes = read(zip);
          if (bytes.length != entry.size() || !Sha256.of(bytes).equals(entry.sha256())) {
            throw new CatalogException(
                zip + " is not the file that " + FILE + " lists. Publish or fetch it again.");
          }
        });
    return manifest;
  }

  /** Reads the manifest and checks its signature alone. */
  static Manifest readSigned(Path folder, PublicKey key) {
    Path file = folder.resolve(FILE);
    Path signatures = folder.resolve(SIGNATURE);
    byte[] bytes = read(file);
    try {
      for (String line : new String(read(signatures), StandardCharsets.US_ASCII).lines().toList()) {
        if (Keys.verifies(bytes, Base64.getDecoder().decode(line), key)) {
          return parse(file, bytes);
        }
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new CatalogException(signatures + " is damaged: " + e.getMessage(), e);
    }
    throw new CatalogException(
        file + " is not signed by the given key. It was changed, or another key signed it.");
  }

  byte[] json() {
    ObjectNode root = JSON.createObjectNode();
    root.put("schema", SCHEMA);
    ObjectNode all = root.putObject("providers");
    providers.forEach(
        (provider, entry) ->
            all.putObject(provider)
                .put("version", entry.version())
                .put("sha256", entry.sha256())
                .put("size", entry.size())
                .put("rows", entry.rows())
                .put("collected_at", entry.collectedAt().toString()));
    return (JSON.writeValueAsString(root).replace("\r\n", "\n") + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  static void requireName(String name, String what) {
    if (!NAME.matcher(name).matches()) {
      throw new CatalogException(
          "The " + what + " \"" + name + "\" cannot be the name of a folder. Rename it.");
    }
  }

  private static Manifest parse(Path file, byte[] bytes) {
    try {
      JsonNode root = JSON.readTree(bytes);
      String schema = root.path("schema").asString("");
      if (!schema.equals(SCHEMA)) {
        throw new CatalogException(
            file + " has the schema \"" + schema + "\", which this version does not read.");
      }
      SortedMap<String, Entry> providers = new TreeMap<>();
      for (var property : root.required("providers").properties()) {
        JsonNode value = property.getValue();
        providers.put(
            property.getKey(),
            new Entry(
                value.required("version").stringValue(),
                value.required("sha256").stringValue(),
                value.required("size").longValue(),
                value.required("rows").longValue(),
                Instant.parse(value.required("collected_at").stringValue())));
      }
      return new Manifest(providers);
    } catch (JacksonException | DateTimeException | IllegalArgumentException e) {
      throw new CatalogException(file + " is no manifest of a catalog: " + e.getMessage(), e);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CatalogException(file + " cannot be read: " + e, e);
    }
  }
}
