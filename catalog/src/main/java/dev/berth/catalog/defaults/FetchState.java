package dev.berth.catalog.defaults;

import dev.berth.catalog.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * How fetching went so far. It is kept in a file, so that commands that follow each other do not
 * all ask a mirror that is down.
 *
 * @param fetchedAt when the mirror last gave something; null for never
 * @param collectedAt when the publisher made the newest of what is here; null for not known
 * @param triedAt when it was last asked; null for never
 * @param failures how often in a row something was missing
 * @param failure what was wrong the last time; null where all went well
 */
record FetchState(
    @Nullable Instant fetchedAt,
    @Nullable Instant collectedAt,
    @Nullable Instant triedAt,
    int failures,
    @Nullable String failure) {
  static final FetchState NEVER = new FetchState(null, null, null, 0, null);

  private static final System.Logger LOG = System.getLogger(FetchState.class.getName());
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration FIRST_PAUSE = Duration.ofMinutes(5);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(6);

  /** A file that cannot be read says nothing: the worst that follows is one more try. */
  static FetchState read(Path file) {
    try {
      FetchState read = JSON.readValue(Files.readAllBytes(file), FetchState.class);
      return read == null ? NEVER : read;
    } catch (NoSuchFileException _) {
      return NEVER;
    } catch (IOException | JacksonException e) {
      LOG.log(System.Logger.Level.WARNING, file + " cannot be read and is not used: " + e);
      return NEVER;
    }
  }

  void write(Path file) throws IOException {
    AtomicFiles.write(file, JSON.writeValueAsBytes(this));
  }

  FetchState succeeded(@Nullable Instant newest, Instant now) {
    return new FetchState(now, newest, now, 0, null);
  }

  /** Nothing came. */
  FetchState failed(String sentence, Instant now) {
    return new FetchState(fetchedAt, collectedAt, now, failures + 1, sentence);
  }

  /** Something came, but not all. */
  FetchState fellShort(@Nullable Instant newest, String sentence, Instant now) {
    return new FetchState(now, newest, now, failures + 1, sentence);
  }

  /** When the mirror is asked again; a time in the future was written by a wrong clock. */
  Instant dueAt(Duration refreshAfter, Instant now) {
    Instant last = failures > 0 ? triedAt : fetchedAt;
    if (last == null || last.isAfter(now)) {
      return now;
    }
    return last.plus(failures > 0 ? pause() : refreshAfter);
  }

  private Duration pause() {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }
}
