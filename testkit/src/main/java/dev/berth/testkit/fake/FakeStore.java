package dev.berth.testkit.fake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * All that exists, ever existed and will exist at a fake cloud: for each thing its bodies in the
 * order of time. A look at the past is how reads lag, and a body in the future is how a create or a
 * delete takes its time. Guarded by the server's lock.
 */
final class FakeStore {
  /**
   * What a thing is from a moment on.
   *
   * @param body null where it does not exist
   */
  record Version(Instant at, @Nullable JsonNode body) {
    Version {
      // So does the data file say it.
      body = body == null || body.isNull() ? null : body;
    }
  }

  /** One thing in the course of time. */
  record Line(String kind, String id, List<Version> versions) {
    Line {
      versions = List.copyOf(versions);
    }

    /** What it is at a moment. */
    @Nullable Version at(Instant moment) {
      Version last = null;
      for (Version version : versions) {
        if (!version.at().isAfter(moment)) {
          last = version;
        }
      }
      return last;
    }

    /** The same, changed at a moment, by which all that was planned is forgotten. */
    Line changed(Version version) {
      List<Version> kept = new ArrayList<>(versions);
      kept.removeIf(planned -> planned.at().isAfter(version.at()));
      kept.add(version);
      return new Line(kind, id, kept);
    }

    /** The same, with a change that comes later, among those that were planned before. */
    Line planned(Version version) {
      List<Version> more = new ArrayList<>(versions);
      int index = more.size();
      while (index > 0 && more.get(index - 1).at().isAfter(version.at())) {
        index--;
      }
      more.add(index, version);
      return new Line(kind, id, more);
    }
  }

  /** What stands in the data file. */
  private record Stored(String cloud, long lastNumber, List<Line> lines) {
    Stored {
      // A file may lack any of it.
      lines = lines == null ? List.of() : List.copyOf(lines);
    }
  }

  private final String cloud;
  private final @Nullable Path file;
  private final Map<String, Line> lines = new LinkedHashMap<>();
  private long lastNumber;

  private FakeStore(String cloud, @Nullable Path file) {
    this.cloud = cloud;
    this.file = file;
  }

  /**
   * The state of a cloud, which is kept in a file where one is given.
   *
   * @throws IOException where the file is there and cannot be read, or is another cloud's
   */
  static FakeStore open(String cloud, @Nullable Path file) throws IOException {
    FakeStore store = new FakeStore(cloud, file);
    if (file != null && Files.exists(file)) {
      store.read(file);
    }
    return store;
  }

  private void read(Path from) throws IOException {
    Stored stored;
    try {
      stored = FakeRequest.JSON.readValue(Files.readString(from), Stored.class);
    } catch (JacksonException e) {
      throw new IOException("it is not the data of a fake cloud: " + e.getOriginalMessage(), e);
    }
    if (!cloud.equals(stored.cloud())) {
      throw new IOException(
          "it is the data of \"%s\", not of \"%s\"".formatted(stored.cloud(), cloud));
    }
    lastNumber = stored.lastNumber();
    stored.lines().forEach(this::put);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  long nextNumber() {
    return ++lastNumber;
  }

  List<Line> all() {
    return List.copyOf(lines.values());
  }

  @Nullable Line find(String kind, String id) {
    return lines.get(key(kind, id));
  }

  void put(Line line) {
    lines.put(key(line.kind(), line.id()), line);
  }

  /** Puts things back to what they were. */
  void restore(Map<String, Line> before) {
    lines.clear();
    lines.putAll(before);
  }

  Map<String, Line> copy() {
    return new LinkedHashMap<>(lines);
  }

  private static String key(String kind, String id) {
    return kind + "/" + id;
  }

  /**
   * Writes all of it, so that either the old or the new state is in the file, whatever happens to
   * the process or the machine.
   */
  void save() {
    if (file == null) {
      return;
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    String text = FakeRequest.JSON.writeValueAsString(new Stored(cloud, lastNumber, all()));
    try {
      try (FileChannel channel =
          FileChannel.open(
              fresh,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("the data file " + file + " cannot be written", e);
    }
  }
}
