package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.read.Copies.Copy;
import dev.berth.spi.BackendException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file of a mirror. Only a download that could be read becomes the last good copy; whatever goes
 * wrong, that copy stands in, with a warning that tells its age.
 */
final class RemoteFile {
  private final Place place;
  private final Mirror mirror;
  private final Copies copies;
  private final ReadLimits limits;
  private final InstantSource clock;
  private final Consumer<String> warnings;

  RemoteFile(
      Place place,
      Mirror mirror,
      Copies copies,
      ReadLimits limits,
      InstantSource clock,
      Consumer<String> warnings) {
    this.place = place;
    this.mirror = mirror;
    this.copies = copies;
    this.limits = limits;
    this.clock = clock;
    this.warnings = warnings;
  }

  /**
   * Where a file is.
   *
   * @param base the file's address, or where a file named version and folders of versions are
   * @param versioned whether it is the latter
   * @param pinned the version that is wanted; null for the newest
   */
  record Place(URI base, boolean versioned, @Nullable String pinned) {
    URI file(@Nullable String version) {
      return version == null ? base : URI.create(base + "/" + version + "/catalog.zip");
    }

    URI version() {
      return URI.create(base + "/version");
    }
  }

  /** Makes something of the file. */
  interface Use<T> {
    T of(Archive file, @Nullable String version, Instant collectedAt);
  }

  /**
   * Gets the file and makes something of it.
   *
   * @throws BackendException where the mirror cannot be asked and there is no copy
   * @throws CatalogException where the file is broken and there is no copy
   */
  <T> T read(Use<T> use) {
    Optional<Copy> copy =
        copies
            .find(place.base().toString())
            .filter(
                it ->
                    place.pinned() == null
                        || Objects.equals(it.description().version(), place.pinned()));
    try {
      return fresh(copy, use);
    } catch (InterruptedIOException e) {
      throw new BackendException.Transient(sentence(e) + ".", e);
    } catch (IOException e) {
      return lastGood(copy, use, new BackendException.Transient(sentence(e) + ".", e));
    } catch (CatalogException e) {
      return lastGood(copy, use, e);
    }
  }

  private <T> T fresh(Optional<Copy> copy, Use<T> use) throws IOException {
    @Nullable String version = place.versioned() ? version() : null;
    if (version != null && copy.isPresent() && version.equals(copy.get().description().version())) {
      return use(copy.get(), use);
    }
    URI uri = place.file(version);
    Path download = copies.temporary(place.base().toString());
    try {
      @Nullable String etag =
          copy.filter(it -> it.description().url().equals(uri.toString()))
              .map(it -> it.description().etag())
              .orElse(null);
      return switch (mirror.download(uri, etag, download)) {
        case Mirror.Answer.Body body -> keep(uri, version, body, download, use);
        case Mirror.Answer.Unchanged() ->
            use(copy.orElseThrow(() -> new IOException(uri + " sent no file")), use);
        case Mirror.Answer.Absent() -> throw new IOException("there is no " + uri);
      };
    } finally {
      Files.deleteIfExists(download);
    }
  }

  private String version() throws IOException {
    if (place.pinned() != null) {
      return place.pinned();
    }
    URI uri = place.version();
    String text = mirror.text(uri).orElseThrow(() -> new IOException("there is no " + uri));
    return Versions.require(text, uri.toString());
  }

  private <T> T keep(
      URI uri, @Nullable String version, Mirror.Answer.Body body, Path download, Use<T> use)
      throws IOException {
    Instant now = clock.instant();
    Instant modified = body.lastModified() == null ? now : body.lastModified();
    Instant collectedAt = version == null ? modified : Versions.date(version).orElse(modified);
    T made = use.of(new Archive(download, uri.toString(), limits), version, collectedAt);
    copies.keep(
        place.base().toString(),
        download,
        uri.toString(),
        body.etag(),
        version,
        collectedAt.toEpochMilli(),
        now.toEpochMilli());
    return made;
  }

  private <T> T lastGood(Optional<Copy> copy, Use<T> use, RuntimeException cause) {
    if (copy.isEmpty()) {
      throw cause;
    }
    Instant fetchedAt = Instant.ofEpochMilli(copy.get().description().fetchedAt());
    warnings.accept(
        cause.getMessage()
            + " The copy of "
            + fetchedAt
            + " is used, which is "
            + age(Duration.between(fetchedAt, clock.instant()))
            + " old.");
    return use(copy.get(), use);
  }

  private <T> T use(Copy copy, Use<T> use) {
    return use.of(
        new Archive(copy.content(), copy.description().url(), limits),
        copy.description().version(),
        Instant.ofEpochMilli(copy.description().collectedAt()));
  }

  private static String sentence(IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return "The mirror cannot be read: " + message;
  }

  private static String age(Duration age) {
    return age.toDays() > 1
        ? age.toDays() + " days"
        : age.toHours() > 1 ? age.toHours() + " hours" : age.toMinutes() + " minutes";
  }
}
