package dev.berth.control;

/** Somebody who still needs something of a machine that is about to be given back. */
public interface LastLook {
  LastLook NONE = _ -> {};

  /**
   * Returns when the machine may go. Called before each try to delete one, by the thread that makes
   * the call; a machine costs money, so this takes a minute at most.
   *
   * @param resourceId the key of the machine at its provider
   */
  void beforeDeletion(String resourceId) throws InterruptedException;
}
