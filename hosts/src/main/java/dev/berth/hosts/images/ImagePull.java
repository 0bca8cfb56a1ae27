package dev.berth.hosts.images;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineImages;
import dev.berth.hosts.docker.EngineResponse;
import dev.berth.hosts.docker.ImageFacts;
import dev.berth.hosts.docker.ImageName;
import dev.berth.hosts.docker.PullProgress;
import dev.berth.hosts.docker.PullRefusal;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.spi.DuplexChannel;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sees to it that an image is there. Used by one thread; may be given up by another. */
public final class ImagePull {
  /** Layers of many gigabytes are unpacked with words in between. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);

  /** More permits than there are words, for the end. */
  private static final int OVER = 1 << 30;

  private static final System.Logger LOGGER = System.getLogger(ImagePull.class.getName());

  private final Engine engine;
  private final String image;
  private final PulledImages pulled;
  private final InstantSource clock;
  private final PullProgress progress;
  private final Duration silence;

  /** The open connection. Written by whoever pulls. */
  private volatile @Nullable DuplexChannel channel;

  private volatile boolean givenUp;

  /** Whether the engine was asked and has not answered. Written by whoever pulls. */
  private volatile boolean underWay;

  public ImagePull(Engine engine, String image, PulledImages pulled, InstantSource clock) {
    this(engine, image, pulled, clock, LONGEST_SILENCE);
  }

  /**
   * One with another patience.
   *
   * @param silence after how long without a word of the engine the pull is begun again
   */
  ImagePull(
      Engine engine, String image, PulledImages pulled, InstantSource clock, Duration silence) {
    this.silence = silence;
    this.engine = engine;
    this.image = image;
    this.pulled = pulled;
    this.clock = clock;
    this.progress = new PullProgress(image);
  }

  /** How far it is, for a person; empty where nothing is pulled now. */
  public Optional<String> words() {
    return underWay ? Optional.of(progress.words()) : Optional.empty();
  }

  /**
   * Finds the image, or pulls it. One whose tag moves is pulled each time; where that fails, the
   * one that is there does.
   *
   * @param directory where the credentials are, if any
   * @param warn is told what is not as asked
   * @throws HostException INVALID with a sentence where it cannot be had; MACHINE where trying
   *     again may help
   */
  public ImageFacts ensure(JobDirectory directory, Consumer<String> warn) {
    ImageName name = ImageName.parse(image);
    Optional<ImageFacts> present = engine.images().find(image);
    if (present.isPresent() && !name.moves()) {
      return used(present.get());
    }
    try {
      underWay = true;
      pull(name, login(directory, name));
    } catch (HostException failure) {
      if (present.isPresent() && !givenUp) {
        warn.accept("using the image that was pulled before: " + failure.getMessage());
        return used(present.get());
      }
      throw failure;
    } finally {
      underWay = false;
    }
    ImageFacts found =
        engine
            .images()
            .find(image)
            .orElseThrow(
                () ->
                    new HostException(
                        HostException.Code.INVALID,
                        "the engine pulled the image " + image + " and does not know it"));
    if (present.isEmpty()) {
      pulled.add(image, found.id(), clock.instant());
    } else if (!present.get().id().equals(found.id())) {
      pulled.moved(image, present.get().id(), found.id(), clock.instant());
    }
    return used(found);
  }

  private ImageFacts used(ImageFacts facts) {
    pulled.used(image, facts.id(), clock.instant());
    return facts;
  }

  private void pull(ImageName name, EngineImages.@Nullable Login login) {
    Semaphore lines = new Semaphore(0);
    try (EngineResponse response = engine.images().pull(name, login, this::opened)) {
      Thread.ofVirtual().name("pull-silence").start(() -> hangUpInSilence(lines, response));
      response.lines(
          line -> {
            progress.line(line);
            lines.release();
          });
    } catch (IOException failure) {
      throw givenUp
          ? stopped()
          : new HostException(
              HostException.Code.MACHINE, "the pull of " + image + " was cut off", failure);
    } catch (EngineException refused) {
      if (givenUp) {
        throw stopped();
      }
      if (refused.isSilence()) {
        throw refused;
      }
      throw new HostException(
          HostException.Code.INVALID, sentence(refused.words(), login), refused);
    } finally {
      lines.release(OVER);
    }
    progress
        .failure()
        .ifPresent(
            words -> {
              throw new HostException(HostException.Code.INVALID, sentence(words, login));
            });
  }

  /** Engines wait for ever for a registry that sends no more; the layers that are there stay. */
  private void hangUpInSilence(Semaphore lines, EngineResponse response) {
    try {
      while (lines.tryAcquire(silence.toMillis(), TimeUnit.MILLISECONDS)) {
        if (lines.drainPermits() >= OVER - 1) {
          return;
        }
      }
      response.close();
    } catch (IOException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "A silent pull does not end", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** An engine may be silent for as long as the registry is, so that we hang up from here on. */
  private void opened(DuplexChannel opened) {
    channel = opened;
    if (givenUp) {
      giveUp();
    }
  }

  private String sentence(String words, EngineImages.@Nullable Login login) {
    return PullRefusal.sentence(image, words, login == null ? null : login.username());
  }

  private static HostException stopped() {
    return new HostException(HostException.Code.ABSENT, "the pull was given up");
  }

  private static EngineImages.@Nullable Login login(JobDirectory directory, ImageName name) {
    List<String> lines = directory.lines(JobDirectory.REGISTRY);
    return lines.size() < 2
        ? null
        : new EngineImages.Login(lines.getFirst(), lines.get(1), name.registry());
  }

  /** Ends the pull, if one is on its way. The engine keeps the layers that it has. */
  public void giveUp() {
    givenUp = true;
    DuplexChannel open = channel;
    if (open != null) {
      try {
        open.close();
      } catch (IOException failure) {
        throw new HostException(HostException.Code.MACHINE, "a pull cannot be ended", failure);
      }
    }
  }
}
