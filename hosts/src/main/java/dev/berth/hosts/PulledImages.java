package dev.berth.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * The images that an engine has because we pulled them, kept in a file. What was there before is
 * not among them, so that nobody's own images are taken for ours. Any thread may use it.
 */
final class PulledImages {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();

  PulledImages(Path file) {
    this.file = file;
  }

  /**
   * An image.
   *
   * @param reference as jobs name it
   * @param lastUsed when a job was begun with it, or was seen to have it
   */
  record Pulled(String reference, String id, Instant lastUsed) {}

  private record Content(List<Pulled> images) {}

  /** Notes that a job uses an image, where it is one of ours. */
  void used(String reference, String id, Instant now) {
    change(
        images -> images.computeIfPresent(reference, (_, known) -> new Pulled(reference, id, now)));
  }

  /** Notes that an image was pulled that was not there before. */
  void add(String reference, String id, Instant now) {
    change(images -> images.put(reference, new Pulled(reference, id, now)));
  }

  void forget(String reference) {
    change(images -> images.remove(reference));
  }

  /** All of them, that which was not used for longest first. */
  List<Pulled> oldestFirst() {
    lock.lock();
    try {
      List<Pulled> all = new ArrayList<>(read().values());
      all.sort(Comparator.comparing(Pulled::lastUsed));
      return all;
    } finally {
      lock.unlock();
    }
  }

  private interface Change {
    void apply(Map<String, Pulled> images);
  }

  private void change(Change change) {
    lock.lock();
    try {
      Map<String, Pulled> images = read();
      Map<String, Pulled> before = Map.copyOf(images);
      change.apply(images);
      if (!images.equals(before)) {
        write(images);
      }
    } finally {
      lock.unlock();
    }
  }

  private Map<String, Pulled> read() {
    Map<String, Pulled> images = new TreeMap<>();
    try {
      if (Files.exists(file)) {
        MAPPER
            .readValue(Files.readString(file), Content.class)
            .images()
            .forEach(image -> images.put(image.reference(), image));
      }
      return images;
    } catch (IOException | JacksonException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "the list of pulled images %s cannot be read; delete it, and they all stay"
              .formatted(file),
          failure);
    }
  }

  private void write(Map<String, Pulled> images) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(
          fresh, MAPPER.writeValueAsString(new Content(List.copyOf(images.values()))));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the list of pulled images cannot be written", failure);
    }
  }
}
