package dev.berth.catalog.collect;

import dev.berth.catalog.CatalogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What single accounts see of providers: a catalog of its own for each backend, beside the one that
 * everybody has. So accounts of one provider never mix, nobody sees the prices of others, and what
 * a backend saw goes with it.
 */
public final class AccountCatalogs {
  private final Path folder;
  private final InstantSource clock;

  /**
   * Those beside a catalog.
   *
   * @param home the folder of the catalog that everybody has
   */
  public AccountCatalogs(Path home, InstantSource clock) {
    this.folder = home.resolve("accounts");
    this.clock = clock;
  }

  /** The catalog of a backend, by its key; empty before something was collected. */
  public CatalogFolder of(String backend) {
    return new CatalogFolder(folder.resolve(backend), clock);
  }

  /** The backends that something was collected for. */
  public Set<String> backends() {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders
          .map(one -> String.valueOf(one.getFileName()))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (NoSuchFileException e) {
      // Nothing has been collected yet.
      return Set.of();
    } catch (IOException e) {
      throw new CatalogException("The folder " + folder + " cannot be read: " + e, e);
    }
  }

  /** Whether anything was collected from a source of this name. */
  public boolean hasSource(String name) {
    return backends().stream().anyMatch(backend -> of(backend).sources().contains(name));
  }

  /** Forgets what was collected for all other backends. */
  public void retain(Collection<String> backends) {
    for (String backend : backends()) {
      if (!backends.contains(backend)) {
        delete(folder.resolve(backend));
      }
    }
  }

  private static void delete(Path place) {
    try (Stream<Path> files = Files.walk(place)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new CatalogException(place + " cannot be deleted: " + e, e);
    }
  }
}
