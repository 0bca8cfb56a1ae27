package dev.berth.spi;

import dev.berth.model.Instance;
import java.util.List;

/** An open backend: machines, and what runs on them. */
public interface Compute extends AutoCloseable {
  /**
   * The machines that are there by themselves, with what they have now. Idempotent; changes
   * nothing; may take a second.
   */
  List<Instance> instances();

  JobRuntime runtime();

  @Override
  void close();
}
