package dev.berth.client.files;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.ArchiveManifest;
import dev.berth.model.api.UploadView;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sends packed files to a server: only what it has not, and what was cut off once more. Used by one
 * thread.
 */
public final class Uploader {
  /** So many breaks in a row, without one more piece that arrived, are too many. */
  private static final int MOST_BREAKS = 8;

  private final BerthClient client;
  private final String project;
  private final Progress progress;
  private final Pause pause;

  /** Hears how far it is. */
  public interface Progress {
    void sent(long bytes, long of);

    /** The connection broke, and is tried again. */
    void broken(String sentence);
  }

  /** How to wait between tries. */
  public interface Pause {
    void waitFor(Duration time) throws InterruptedException;
  }

  public Uploader(BerthClient client, String project, Progress progress, Pause pause) {
    this.client = client;
    this.project = project;
    this.progress = progress;
    this.pause = pause;
  }

  /**
   * Sends what is missing.
   *
   * @throws ClientException where the server refuses it, or does not answer for long
   */
  public void upload(PackedFile file) {
    List<ArchiveManifest.Chunk> chunks = file.manifest().chunks();
    int breaks = 0;
    while (true) {
      int arrived = 0;
      try {
        UploadView view = client.nameUpload(project, file.manifest());
        if (view.kept()) {
          progress.sent(view.size(), view.size());
          return;
        }
        Set<String> missing = new HashSet<>(view.missing());
        long done =
            chunks.stream()
                .filter(chunk -> !missing.contains(chunk.digest()))
                .mapToLong(ArchiveManifest.Chunk::size)
                .sum();
        for (int i = 0; i < chunks.size(); i++) {
          // Removed, because the same piece may stand in an archive twice.
          if (missing.remove(chunks.get(i).digest())) {
            progress.sent(done, view.size());
            client.putChunk(project, chunks.get(i).digest(), file.chunk(i));
            arrived++;
            done += chunks.get(i).size();
          }
        }
      } catch (ClientException e) {
        breaks = arrived > 0 ? 1 : breaks + 1;
        if (!mayGoOn(e) || breaks > MOST_BREAKS) {
          throw e;
        }
        progress.broken(String.valueOf(e.getMessage()));
        rest(breaks, e);
      }
    }
  }

  /** No answer, or a server that is busy or away. */
  private static boolean mayGoOn(ClientException e) {
    return switch (e.status()) {
      case 0, 429, 502, 503, 504 -> true;
      default -> false;
    };
  }

  private void rest(int breaks, ClientException cause) {
    try {
      pause.waitFor(Duration.ofMillis(Math.min(10_000, 250L << breaks)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cause;
    }
  }
}
