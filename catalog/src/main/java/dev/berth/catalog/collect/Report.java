package dev.berth.catalog.collect;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.gate.Verdict;
import dev.berth.spi.OfferSource.RefusedRow;
import java.util.List;

/** What became of one source in a collection. */
public sealed interface Report {
  String source();

  /**
   * There is a new snapshot.
   *
   * @param verdict a refusal where the user wanted the snapshot anyway
   * @param refusedRows the first rows that are no offers; the accounting counts all of them
   */
  record Accepted(
      String source, Accounting accounting, Verdict verdict, List<RefusedRow> refusedRows)
      implements Report {
    public Accepted {
      refusedRows = List.copyOf(refusedRows);
    }
  }

  /** The gate does not believe the prices; the snapshot before stays. */
  record Refused(String source, Accounting accounting, Verdict verdict) implements Report {}

  /** The source could not be asked, or its snapshot not be kept. */
  record Failed(String source, String sentence, Throwable cause) implements Report {}
}
