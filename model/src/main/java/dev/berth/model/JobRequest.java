package dev.berth.model;

import org.jspecify.annotations.Nullable;

/**
 * All that a backend needs to start one attempt.
 *
 * @param attemptId the key that the job carries at the provider; never used for another one
 * @param share what of a machine the job gets
 * @param place the offer that the job is started on; null on a machine that is there by itself
 * @param container null where the job runs without an image
 */
public record JobRequest(
    String attemptId,
    JobSpec spec,
    ResourceVector share,
    @Nullable Place place,
    @Nullable Container container) {
  /** A job without an image, on a machine that is there by itself. */
  public JobRequest(String attemptId, JobSpec spec, ResourceVector share) {
    this(attemptId, spec, share, null, null);
  }

  public JobRequest at(Place newPlace) {
    return new JobRequest(attemptId, spec, share, newPlace, container);
  }

  public JobRequest in(Container newContainer) {
    return new JobRequest(attemptId, spec, share, place, newContainer);
  }

  public JobRequest with(JobSpec newSpec) {
    return new JobRequest(attemptId, newSpec, share, place, container);
  }
}
