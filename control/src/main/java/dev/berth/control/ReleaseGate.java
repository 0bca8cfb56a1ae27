package dev.berth.control;

/** Somebody who still needs something of a place that is about to be given back. */
public interface ReleaseGate {
  ReleaseGate NONE = _ -> {};

  /**
   * Returns when the place may go. Called before each try to delete a machine or to release a job,
   * by the thread that makes the call; both cost money, so this takes a minute at most.
   *
   * @param resourceId the key of the machine or the job at its provider
   */
  void beforeDeletion(String resourceId) throws InterruptedException;
}
