package dev.berth.catalog.collect;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.gate.Verdict;

/** What became of one source in a collection. */
public sealed interface Report {
  String source();

  /**
   * There is a new snapshot.
   *
   * @param verdict a refusal where the user wanted the snapshot anyway
   */
  record Accepted(String source, Accounting accounting, Verdict verdict) implements Report {}

  /** The gate does not believe the prices; the snapshot before stays. */
  record Refused(String source, Accounting accounting, Verdict verdict) implements Report {}

  /** The source could not be asked, or its snapshot not be kept. */
  record Failed(String source, String sentence, Throwable cause) implements Report {}
}
