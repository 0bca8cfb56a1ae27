package dev.berth.testkit;

import java.nio.file.Path;

/** A cloud and a backend for it, of which a new one can be had for each run of the kit. */
public interface Setup {
  Running start(Path directory);

  /** One of them. */
  record Running(Subject subject, Runnable stop) implements AutoCloseable {
    @Override
    public void close() {
      stop.run();
    }
  }
}
