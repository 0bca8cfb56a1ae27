package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.Ledger;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import java.util.Collection;

/** What is active as the ledger holds it now, for those who look at it and decide nothing. */
public final class LedgerView {
  private LedgerView() {}

  /** All that is active in a realm, as of one moment; without actions. */
  public static View read(Ledger ledger, String realm) {
    ActiveSet active = new ActiveSet();
    ledger.readActive(realm, stored -> active.load(stored.row()));
    return active;
  }

  /**
   * Only the fleets and machines, which are few where runs are many.
   *
   * @param found machines that backends speak of; those that no record speaks of yet are added
   */
  public static View readPlaces(Ledger ledger, String realm, Collection<Instance> found) {
    ActiveSet active = new ActiveSet();
    found.forEach(active::load);
    load(ledger, realm, Entity.Kind.FLEET, active);
    load(ledger, realm, Entity.Kind.INSTANCE, active);
    return active;
  }

  private static void load(Ledger ledger, String realm, Entity.Kind kind, ActiveSet active) {
    ledger
        .listAll(realm, EntityQuery.all(kind.word(), EntityQuery.LARGEST_PAGE).active())
        .forEach(stored -> active.load(stored.row()));
  }
}
