package dev.berth.simulation.providers;

import dev.berth.spi.Compute;
import java.util.List;
import java.util.Optional;

/** A place where jobs run. It outlives servers. */
public interface Provider {
  String name();

  /** The type of the backend. */
  String type();

  /** How servers see it. Shared by all of them: what a backend keeps is with the provider. */
  Compute compute();

  /** What is there now, whatever lists and answers say. */
  List<Held> held();

  /** What the place says of itself that can never be right; empty where all is well. */
  Optional<String> complaint();

  /**
   * Something that is there.
   *
   * @param ours whether it belongs to the installation that is simulated
   */
  record Held(String id, String key, boolean ours) {}
}
