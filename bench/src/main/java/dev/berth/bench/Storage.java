package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a measured server keeps its state. */
enum Storage {
  SQLITE(""),
  POSTGRES("-postgres");

  private final String suffix;

  Storage(String suffix) {
    this.suffix = suffix;
  }

  /** The name of a figure that is measured on this storage. */
  String figure(String first, String rest) {
    return first + suffix + rest;
  }

  /** A server with its database. Closing ends both. */
  Started start(Workplace place) throws IOException, InterruptedException {
    return start(place, place.newHome());
  }

  /** The same in a home where something is already. */
  Started start(Workplace place, Path home) throws IOException, InterruptedException {
    TemporaryPostgres database = this == POSTGRES ? TemporaryPostgres.start(place) : null;
    boolean good = false;
    try {
      Started started = new Started(TemporaryServer.start(place, home, database), database);
      good = true;
      return started;
    } finally {
      if (!good && database != null) {
        database.close();
      }
    }
  }

  /** What was started. */
  record Started(TemporaryServer server, @Nullable TemporaryPostgres database)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      server.close();
      if (database != null) {
        database.close();
      }
    }
  }
}
