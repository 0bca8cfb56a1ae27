package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Something that can be measured, with one figure or several. */
interface Benchmark {
  /** The figures of a sample, in the order in which a trial gives them. */
  List<Figure> figures();

  /** Whether the launcher must have built the distribution before. */
  default boolean needsDistribution() {
    return true;
  }

  /** Why this cannot be measured on this machine, if so: data that is not in the repository. */
  default Optional<String> missing(Path root) {
    return Optional.empty();
  }

  /** Makes ready what all samples share: a server, files. */
  Trial prepare(Workplace place) throws IOException, InterruptedException;

  /** Where the time goes, line by line; nothing where nobody asked that of this benchmark yet. */
  default List<String> profile(Workplace place) throws IOException, InterruptedException {
    return List.of();
  }

  /** A benchmark that is ready. Closing it ends what the preparation started. */
  interface Trial extends AutoCloseable {
    /** One sample of Berth: a value for each figure. */
    double[] sample() throws IOException, InterruptedException;

    /** One sample of the peer: a value for each figure, or none where there is no peer. */
    double[] samplePeer() throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
  }
}
