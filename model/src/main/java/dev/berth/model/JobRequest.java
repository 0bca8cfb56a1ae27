package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that a backend needs to start one attempt.
 *
 * @param attemptId the key that the job carries at the provider; never used for another one. Lower
 *     case letters of English, digits and {@code -}, with a letter first; at most 48 characters
 * @param share what of a machine the job gets
 * @param place where the job is started; null on a machine that is there by itself
 * @param offer what is bought for the job alone, whole; null on a machine
 * @param container null where the job runs without an image
 * @param volumes network volumes that are attached to the job when it starts, where the provider
 *     gives containers; on a machine they are the machine's
 * @param secrets variables that nobody may see: put in when the call is made, and never stored. The
 *     job gets them as it gets its others, but not by a command line, nor by a file that stays
 * @param hidden the words in them that output must not show; never stored either
 */
public record JobRequest(
    String attemptId,
    JobSpec spec,
    ResourceVector share,
    @Nullable Place place,
    @Nullable CatalogItem offer,
    @Nullable Container container,
    List<AttachedVolume> volumes,
    Map<String, Secret> secrets,
    List<Secret> hidden) {
  public JobRequest {
    // Bodies of before they could be said have none.
    volumes = List.copyOf(Objects.requireNonNullElse(volumes, List.of()));
    // What is stored has none.
    secrets =
        Collections.unmodifiableMap(
            new LinkedHashMap<>(Objects.requireNonNullElse(secrets, Map.of())));
    hidden = List.copyOf(Objects.requireNonNullElse(hidden, List.of()));
  }

  /** A job without secrets. */
  public JobRequest(
      String attemptId,
      JobSpec spec,
      ResourceVector share,
      @Nullable Place place,
      @Nullable Container container) {
    this(attemptId, spec, share, place, null, container, List.of(), Map.of(), List.of());
  }

  /** A job without an image, on a machine that is there by itself. */
  public JobRequest(String attemptId, JobSpec spec, ResourceVector share) {
    this(attemptId, spec, share, null, null);
  }

  public JobRequest at(Place newPlace) {
    return new JobRequest(
        attemptId, spec, share, newPlace, offer, container, volumes, secrets, hidden);
  }

  /** The same, started on an offer that is bought for it alone. */
  public JobRequest buying(Place newPlace, CatalogItem newOffer) {
    return new JobRequest(
        attemptId, spec, share, newPlace, newOffer, container, volumes, secrets, hidden);
  }

  public JobRequest in(Container newContainer) {
    return new JobRequest(
        attemptId, spec, share, place, offer, newContainer, volumes, secrets, hidden);
  }

  /** The same with network volumes. */
  public JobRequest with(List<AttachedVolume> newVolumes) {
    return new JobRequest(
        attemptId, spec, share, place, offer, container, newVolumes, secrets, hidden);
  }

  public JobRequest with(JobSpec newSpec) {
    return new JobRequest(
        attemptId, newSpec, share, place, offer, container, volumes, secrets, hidden);
  }

  /** The same with variables that nobody may see, and the words in them. */
  public JobRequest with(Map<String, Secret> newSecrets, List<Secret> newHidden) {
    return new JobRequest(
        attemptId, spec, share, place, offer, container, volumes, newSecrets, newHidden);
  }
}
