package dev.berth.catalog.gate;

/** What the gate looks at, and what a fault means. */
public enum Rule {
  /** The source has nothing that can be used. */
  EMPTY(Severity.REFUSE),
  /** More than half of the offers are gone. */
  FEWER_ROWS(Severity.REFUSE),
  /** The offers that stayed cost more than half more, or less than half. */
  PRICE_CHANGE(Severity.REFUSE),
  /** The source itself says that something is missing. */
  SOURCE_CHECK(Severity.REFUSE),
  /** A region had offers and has none. */
  LOST_REGIONS(Severity.WARN),
  /** Accelerators of which nothing is known; their offers stay. */
  UNKNOWN_GPUS(Severity.WARN),
  /** The prices are old, whenever they were fetched. */
  STALE(Severity.WARN),
  /** The prices are older than those of the snapshot before. */
  OLDER_THAN_PREVIOUS(Severity.WARN),
  ZERO_PRICE(Severity.WARN),
  FAR_BELOW_MEDIAN(Severity.WARN),
  SPOT_ABOVE_ON_DEMAND(Severity.WARN),
  /** More than a tenth of the offers is suspect. */
  MANY_SUSPECTS(Severity.WARN),
  /** Rows that are there twice were merged. */
  DUPLICATES(Severity.WARN),
  /** Of rows that differ only in price, the cheapest was kept. */
  TWO_PRICES(Severity.WARN),
  /** Rows that are no offers. */
  REFUSED_ROWS(Severity.WARN);

  private final Severity severity;

  Rule(Severity severity) {
    this.severity = severity;
  }

  public Severity severity() {
    return severity;
  }

  /** What a fault means for the snapshot. */
  public enum Severity {
    /** The snapshot before stays. */
    REFUSE,
    /** The snapshot is taken, and the fault is told. */
    WARN
  }
}
