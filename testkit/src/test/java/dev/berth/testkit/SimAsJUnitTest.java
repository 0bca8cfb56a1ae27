package dev.berth.testkit;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The kit as a backend's author runs it. */
class SimAsJUnitTest extends BackendConformance {
  @TempDir Path directory;

  @Override
  protected Subject subject() {
    return SimSetup.machines().subject(directory);
  }
}
