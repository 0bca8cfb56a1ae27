package dev.berth.simulation.providers;

import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import dev.berth.spi.Compute;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A place where jobs run. It outlives servers. */
public interface Provider {
  String name();

  /** The type of the backend. */
  String type();

  /** How servers see it. Shared by all of them: what a backend keeps is with the provider. */
  Compute compute();

  /** Whether its machines are not listed now. */
  default boolean isAway() {
    return false;
  }

  /** The keys of which all that was asked for was refused after it had been accepted. */
  default Set<String> refused() {
    return Set.of();
  }

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
   * @param bills whether it costs money by itself
   * @param noticedAt when it was said that it will be taken back; null where it was not
   */
  record Held(String id, String key, boolean ours, boolean bills, @Nullable Instant noticedAt) {
    /** One that is part of something else, or of a machine of users' own. */
    Held(String id, String key, boolean ours) {
      this(id, key, ours, false, null);
    }
  }
}
