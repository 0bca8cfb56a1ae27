package dev.berth.hosts.images;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachineFiles;
import dev.berth.hosts.access.MachinePath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * The images that an engine has because we pulled them, kept in a file. What was there before is
 * not among them, so that nobody's own images are taken for ours. Any thread may use it.
 */
public final class PulledImages {
  private static final System.Logger LOGGER = System.getLogger(PulledImages.class.getName());
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private final MachineFiles files;
  private final MachinePath file;
  private final ReentrantLock lock = new ReentrantLock();

  public PulledImages(MachineFiles files, MachinePath file) {
    this.files = files;
    this.file = file;
  }

  /**
   * An image.
   *
   * @param reference as jobs name it; its id where it has lost that name
   * @param lastUsed when a job was begun with it, or was seen to have it
   */
  record Pulled(String reference, String id, Instant lastUsed) {}

  private record Content(List<Pulled> images) {}

  /**
   * Notes that a job uses an image, where it is one of ours. Where somebody gave its name to
   * another, that one is theirs, and ours is known by its id from then on.
   */
  void used(String reference, String id, Instant now) {
    change(
        images -> {
          Pulled known = images.get(reference);
          if (known != null && known.id().equals(id)) {
            images.put(reference, new Pulled(reference, id, now));
          } else if (known != null) {
            images.remove(reference);
            keepById(images, known);
          }
        });
  }

  /** Notes that an image was pulled that was not there before. */
  void add(String reference, String id, Instant now) {
    change(images -> put(images, reference, id, now));
  }

  /** Notes that we pulled another image under a name that was one of ours, if it was. */
  void moved(String reference, String before, String id, Instant now) {
    change(
        images -> {
          Pulled known = images.get(reference);
          if (known != null && known.id().equals(before)) {
            put(images, reference, id, now);
            keepById(images, known);
          }
        });
  }

  private static void put(Map<String, Pulled> images, String reference, String id, Instant now) {
    images.remove(id);
    images.put(reference, new Pulled(reference, id, now));
  }

  /** An image that lost the name under which we pulled it is there all the same. */
  private static void keepById(Map<String, Pulled> images, Pulled known) {
    if (images.values().stream().noneMatch(other -> other.id().equals(known.id()))) {
      images.put(known.id(), new Pulled(known.id(), known.id(), known.lastUsed()));
    }
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
      Optional<byte[]> text = files.read(file, 0, Integer.MAX_VALUE);
      if (text.isPresent()) {
        MAPPER
            .readValue(text.get(), Content.class)
            .images()
            .forEach(image -> images.put(image.reference(), image));
      }
      return images;
    } catch (RuntimeException unreadable) {
      // Jobs need the image, and not the list of those that may be deleted some day.
      LOGGER.log(
          System.Logger.Level.WARNING,
          "The list of pulled images %s cannot be read, so what was pulled before stays"
              .formatted(file),
          unreadable);
      putAside();
      return new TreeMap<>();
    }
  }

  private void putAside() {
    try {
      files.move(file, file.sibling(file.name() + ".unreadable"));
    } catch (HostException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "It cannot be put aside either", failure);
    }
  }

  /** On the disk before it takes its place, so that a power cut leaves the old one or the new. */
  private void write(Map<String, Pulled> images) {
    files.replaceDurably(
        file, MAPPER.writeValueAsString(new Content(List.copyOf(images.values()))));
  }
}
