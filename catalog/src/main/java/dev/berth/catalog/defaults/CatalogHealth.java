package dev.berth.catalog.defaults;

/**
 * The state of the catalog that is used where none was imported.
 *
 * @param sound false where the last try to fetch it failed
 */
public record CatalogHealth(boolean sound, String sentence) {
  /** What to do where it cannot be fetched. */
  public static final String REMEDY =
      "import another one with berth catalog import, or set 'catalog: off' in server.yml";
}
