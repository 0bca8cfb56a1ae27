package dev.berth.catalog.index;

import dev.berth.catalog.CatalogOffer;
import dev.berth.model.offers.ItemOrder;
import dev.berth.model.offers.OfferFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** One question to several snapshots. */
final class Query {
  private final int limit;
  private final List<Head> heads = new ArrayList<>();
  private long total;

  /** A price above which nothing is among the first, as far as is known. */
  private double enough = Double.POSITIVE_INFINITY;

  Query(int limit) {
    this.limit = limit;
  }

  QueryResult run(List<Snapshot> snapshots, OfferFilter filter) {
    Question question = Question.of(filter);
    for (Snapshot snapshot : snapshots) {
      Chosen shapes = snapshot.chooseShapes(question);
      if (!shapes.isEmpty()) {
        Chosen places = snapshot.choosePlaces(question);
        search(snapshot, snapshot.offerTable(), shapes, places, filter);
        if (filter.includeSuspect()) {
          search(snapshot, snapshot.suspectTable(), shapes, places, filter);
        }
      }
    }
    return new QueryResult(total, first());
  }

  private void search(
      Snapshot snapshot, Table table, Chosen shapes, Chosen places, OfferFilter filter) {
    int stop = enough == Double.POSITIVE_INFINITY ? table.rows() : table.firstAbove(enough);
    Found found =
        new Search(table, shapes, places, table.within(filter.price()), limit, stop).run();
    total += found.total();
    int size = found.size();
    if (size > 0) {
      heads.add(new Head(snapshot, table, found));
      if (size == limit) {
        enough = Math.min(enough, table.prices().get(found.row(size - 1)));
      }
    }
  }

  private List<CatalogOffer> first() {
    List<CatalogOffer> offers = new ArrayList<>();
    PriorityQueue<Head> queue = new PriorityQueue<>(Head.ORDER);
    queue.addAll(heads);
    while (offers.size() < limit) {
      Head head = queue.poll();
      if (head == null) {
        break;
      }
      offers.add(head.offer());
      if (head.advance()) {
        queue.add(head);
      }
    }
    return offers;
  }

  /** The rows that were found in a table, and how far they have been taken. */
  private static final class Head {
    static final Comparator<Head> ORDER =
        Comparator.comparingDouble(Head::price)
            .thenComparing(head -> head.offer().item(), ItemOrder.CHEAPEST_FIRST)
            .thenComparing(head -> head.snapshot.source())
            .thenComparing(head -> head.offer().suspect() != null);

    private final Snapshot snapshot;
    private final Table table;
    private final Found found;
    private int position;
    private double price;

    /** Made when it is needed: most heads differ in their price alone. */
    private @Nullable CatalogOffer offer;

    Head(Snapshot snapshot, Table table, Found found) {
      this.snapshot = snapshot;
      this.table = table;
      this.found = found;
      this.price = table.prices().get(found.row(0));
    }

    double price() {
      return price;
    }

    CatalogOffer offer() {
      CatalogOffer made = offer;
      if (made == null) {
        made = snapshot.offer(table, found.row(position));
        offer = made;
      }
      return made;
    }

    boolean advance() {
      offer = null;
      if (++position == found.size()) {
        return false;
      }
      price = table.prices().get(found.row(position));
      return true;
    }
  }
}
