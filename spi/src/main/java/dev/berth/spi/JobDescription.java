package dev.berth.spi;

import dev.berth.model.JobObservation;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job in detail.
 *
 * @param observation in our words
 * @param providerStatus in the provider's words; of a job that does not run yet, how far it is
 * @param page where a person can look at it; null where there is no such page
 * @param interruptedAt when the provider will take the place back, if it said so
 * @param warnings a sentence for each thing that was asked for and that the job does without, as
 *     far as that is known
 */
public record JobDescription(
    JobObservation observation,
    String providerStatus,
    @Nullable URI page,
    @Nullable Instant interruptedAt,
    List<String> warnings) {
  public JobDescription {
    warnings = List.copyOf(warnings);
  }

  /** Of a job that has all that was asked for. */
  public JobDescription(
      JobObservation observation,
      String providerStatus,
      @Nullable URI page,
      @Nullable Instant interruptedAt) {
    this(observation, providerStatus, page, interruptedAt, List.of());
  }
}
