package dev.berth.spi;

import dev.berth.model.JobRequest;

/** A backend's last word on what is submitted: a wrapper around commands, files of its own. */
public interface Rewriting {
  /**
   * The request as the backend wants it. Pure: the same for the same request, so that it may be
   * made once more after a crash. Key, share and place stay as they are.
   *
   * @throws BackendException.Permanent where such a job cannot run here
   */
  JobRequest rewrite(JobRequest request);
}
