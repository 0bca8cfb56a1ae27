package dev.berth.hosts.images;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachineFiles;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.ImageFacts;
import dev.berth.hosts.docker.ImageName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Deletes images that we pulled and nobody uses any more, by age and for space. Never one that was
 * there before, that has a container of anybody, or that somebody gave another name.
 */
public final class ImageGarbageCollection implements AutoCloseable {
  private static final System.Logger LOGGER =
      System.getLogger(ImageGarbageCollection.class.getName());
  private static final Duration BETWEEN_LOOKS = Duration.ofHours(1);

  /** A job whose image was just found has no container yet. */
  private static final Duration FRESH = Duration.ofHours(1);

  private final Engine engine;
  private final MachineFiles files;
  private final PulledImages pulled;
  private final ImageRetention keeping;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);

  public ImageGarbageCollection(
      Engine engine,
      MachineFiles files,
      PulledImages pulled,
      ImageRetention keeping,
      InstantSource clock) {
    this.engine = engine;
    this.files = files;
    this.pulled = pulled;
    this.keeping = keeping;
    this.clock = clock;
    Thread.ofVirtual().name("image-cleaning").start(this::repeat);
  }

  private void repeat() {
    try {
      while (!closed.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          clean();
        } catch (EngineException | HostException failure) {
          LOGGER.log(System.Logger.Level.WARNING, "Images were not cleaned up", failure);
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at all of them once. */
  public void clean() {
    Set<String> inUse =
        engine.list().values().stream().map(Engine.Listed::imageId).collect(Collectors.toSet());
    Instant now = clock.instant();
    List<PulledImages.Pulled> all = pulled.oldestFirst();
    if (all.isEmpty()) {
      return;
    }
    Optional<MachinePath> disk =
        keeping.freeBytes() == 0
            ? Optional.empty()
            : Optional.of(MachinePath.of(engine.info().root()));
    for (PulledImages.Pulled image : all) {
      if (inUse.contains(image.id())) {
        pulled.used(image.reference(), image.id(), now);
      } else if (isOver(image, now, disk)) {
        delete(image);
      }
    }
  }

  private boolean isOver(PulledImages.Pulled image, Instant now, Optional<MachinePath> disk) {
    if (image.lastUsed().plus(keeping.age()).isBefore(now)) {
      return true;
    }
    return image.lastUsed().plus(FRESH).isBefore(now) && disk.filter(this::isFull).isPresent();
  }

  private boolean isFull(MachinePath root) {
    return files.usableBytes(root).filter(left -> left < keeping.freeBytes()).isPresent();
  }

  private void delete(PulledImages.Pulled image) {
    Optional<ImageFacts> now = engine.images().find(image.reference());
    if (now.isEmpty() || !now.get().id().equals(image.id())) {
      // Somebody deleted it, or gave its name to another, which is not ours.
      pulled.forget(image.reference());
      return;
    }
    // Names that we gave it are no reason to keep it, and go one after the other.
    Set<String> ours =
        pulled.oldestFirst().stream()
            .filter(other -> other.id().equals(image.id()))
            .map(other -> ImageName.parse(other.reference()).inFull())
            .collect(Collectors.toSet());
    if (!ours.containsAll(
        now.get().tags().stream().map(tag -> ImageName.parse(tag).inFull()).toList())) {
      return;
    }
    if (engine.images().remove(image.reference())) {
      pulled.forget(image.reference());
      LOGGER.log(
          System.Logger.Level.INFO,
          "The image {0} was deleted: no job used it since {1}",
          image.reference(),
          image.lastUsed());
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
