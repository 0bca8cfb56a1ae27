package dev.berth.catalog.index;

import dev.berth.model.offers.OfferFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Puts offers together by keys. Rows are added up by number first, for each region apart; only then
 * do names and sources meet.
 */
final class Grouping {
  private final Set<GroupKey> keys;
  private final Map<Group.Key, Sum> sums = new HashMap<>();
  private final Map<Group.Key, TreeSet<String>> regions = new HashMap<>();

  Grouping(List<GroupKey> keys) {
    this.keys = Set.copyOf(keys);
  }

  List<Group> run(List<Snapshot> snapshots, OfferFilter filter) {
    Question question = Question.of(filter);
    for (Snapshot snapshot : snapshots) {
      Chosen shapes = snapshot.chooseShapes(question);
      if (!shapes.isEmpty()) {
        add(snapshot, shapes, question);
      }
    }
    return sums.entrySet().stream()
        .map(found -> found.getValue().group(found.getKey(), regionsOf(found.getKey())))
        .sorted(Group.ORDER)
        .toList();
  }

  private void add(Snapshot snapshot, Chosen shapes, Question question) {
    OfferFilter filter = question.filter();
    Chosen places = snapshot.choosePlaces(question);
    List<Group.Key> slots = new ArrayList<>();
    int[] slotOfShape = slots(snapshot, shapes, slots);
    List<String> names = new ArrayList<>();
    int[] regionOfPlace = regions(snapshot, names);
    Cells cells = new Cells(slots.size(), names.size());
    for (Table table : tables(snapshot, filter)) {
      new Search(table, shapes, places, table.within(filter.price()), 0, 0)
          .forEach(
              row -> {
                int shape = table.shapes().get(row);
                cells
                    .cell(slotOfShape[shape], regionOfPlace[table.places().get(row)])
                    .add(
                        table.prices().get(row),
                        snapshot.shapes().columns().gpuCount().get(shape),
                        snapshot.shapes().columns().spot().get(shape) != 0);
              });
    }
    for (int slot = 0; slot < slots.size(); slot++) {
      for (int region = 0; region < names.size(); region++) {
        Sum cell = cells.find(slot, region);
        if (cell != null) {
          merge(slots.get(slot), names.get(region), cell);
        }
      }
    }
  }

  private void merge(Group.Key shapeKey, String region, Sum cell) {
    Group.Key key =
        keys.contains(GroupKey.REGION)
            ? new Group.Key(shapeKey.gpu(), shapeKey.backend(), region, shapeKey.count())
            : shapeKey;
    sums.computeIfAbsent(key, _ -> new Sum()).add(cell);
    regions.computeIfAbsent(key, _ -> new TreeSet<>()).add(region);
  }

  private List<String> regionsOf(Group.Key key) {
    return List.copyOf(regions.getOrDefault(key, new TreeSet<>()));
  }

  private static List<Table> tables(Snapshot snapshot, OfferFilter filter) {
    return filter.includeSuspect()
        ? List.of(snapshot.offerTable(), snapshot.suspectTable())
        : List.of(snapshot.offerTable());
  }

  /** The number of each chosen shape's group, region aside; the groups are added to a list. */
  private int[] slots(Snapshot snapshot, Chosen chosen, List<Group.Key> slots) {
    Shapes shapes = snapshot.shapes();
    int[] slotOfShape = new int[shapes.size()];
    Map<Group.Key, Integer> numbers = new HashMap<>();
    for (Model model : shapes.models()) {
      for (int id = model.shapes().start(); id < model.shapes().end(); id++) {
        if (chosen.mask[id] != 0) {
          Group.Key key = key(shapes, model, id);
          Integer number = numbers.putIfAbsent(key, slots.size());
          if (number == null) {
            slotOfShape[id] = slots.size();
            slots.add(key);
          } else {
            slotOfShape[id] = number;
          }
        }
      }
    }
    return slotOfShape;
  }

  private Group.Key key(Shapes shapes, Model model, int id) {
    return new Group.Key(
        keys.contains(GroupKey.GPU) ? model.name() : null,
        keys.contains(GroupKey.BACKEND)
            ? shapes.words().text(shapes.columns().provider().get(id))
            : null,
        null,
        keys.contains(GroupKey.COUNT) ? shapes.columns().gpuCount().get(id) : null);
  }

  /** The number of each place's region; the regions are added to a list. */
  private static int[] regions(Snapshot snapshot, List<String> names) {
    Places places = snapshot.places();
    int[] regionOfPlace = new int[places.size()];
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int id = 0; id < places.size(); id++) {
      int word = places.regions().get(id);
      Integer number = numbers.putIfAbsent(word, names.size());
      if (number == null) {
        regionOfPlace[id] = names.size();
        names.add(snapshot.words().text(word));
      } else {
        regionOfPlace[id] = number;
      }
    }
    return regionOfPlace;
  }

  /** Sums by group and region, made when the first offer comes. */
  private static final class Cells {
    private final @Nullable Sum[] cells;
    private final int regions;

    Cells(int slots, int regions) {
      this.cells = new @Nullable Sum[Math.multiplyExact(slots, regions)];
      this.regions = regions;
    }

    @Nullable Sum find(int slot, int region) {
      return cells[slot * regions + region];
    }

    Sum cell(int slot, int region) {
      Sum found = find(slot, region);
      if (found == null) {
        found = new Sum();
        cells[slot * regions + region] = found;
      }
      return found;
    }
  }

  /** What is known of some offers together. */
  private static final class Sum {
    private long offers;
    private double price = Double.POSITIVE_INFINITY;
    private double pricePerGpu = Double.POSITIVE_INFINITY;
    private boolean spot;
    private boolean onDemand;

    void add(double offerPrice, int gpus, boolean isSpot) {
      offers++;
      price = Math.min(price, offerPrice);
      if (gpus > 0) {
        pricePerGpu = Math.min(pricePerGpu, offerPrice / gpus);
      }
      spot |= isSpot;
      onDemand |= !isSpot;
    }

    void add(Sum other) {
      offers += other.offers;
      price = Math.min(price, other.price);
      pricePerGpu = Math.min(pricePerGpu, other.pricePerGpu);
      spot |= other.spot;
      onDemand |= other.onDemand;
    }

    Group group(Group.Key key, List<String> regions) {
      Double perGpu = pricePerGpu == Double.POSITIVE_INFINITY ? null : pricePerGpu;
      return new Group(key, offers, price, perGpu, spot, onDemand, regions);
    }
  }
}
