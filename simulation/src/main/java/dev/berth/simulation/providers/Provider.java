package dev.berth.simulation.providers;

import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
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

  /** What the part that a job asked for costs here, in dollars an hour. */
  double price(JobRequest job);

  /** What the machine of a place has; of a place where machines are bought. */
  ResourceVector capacity(Place place);

  /**
   * Something that is there.
   *
   * @param ours whether it belongs to the installation that is simulated
   */
  record Held(String id, String key, boolean ours) {}
}
