package dev.berth.catalog.collect;

/** Hears how a collection goes on; called by the thread that collects, one call at a time. */
public interface Progress {
  /** Tells nobody. */
  Progress SILENT = new Progress() {};

  default void started(String source) {}

  /** The source has answered; its prices are judged when all have. */
  default void fetched(String source, long rows) {}

  default void finished(Report report) {}
}
