package dev.berth.catalog.index;

import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.Range;
import dev.berth.model.offers.OfferFilter;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells which shapes of a snapshot a question leaves. */
final class ShapeJudge {
  private static final int ANY_SPOT = -1;

  private final Shapes shapes;
  private final OfferFilter.Gpu gpu;
  private final Set<String> names;
  private final Bounds gpuCount;
  private final Bounds gpuMemory;
  private final Bounds totalMemory;
  private final @Nullable Bounds cpus;
  private final @Nullable Bounds memory;
  private final @Nullable Bounds disk;
  private final int spot;
  private final @Nullable BitSet providers;
  private final @Nullable BitSet instanceTypes;
  private final @Nullable BitSet architectures;
  private final @Nullable BitSet flags;

  private ShapeJudge(Shapes shapes, Question question) {
    Words words = shapes.words();
    OfferFilter filter = question.filter();
    this.shapes = shapes;
    this.gpu = filter.gpu();
    this.names = question.names();
    this.gpuCount = Bounds.of(filter.gpu().count());
    this.gpuMemory = Bounds.of(filter.gpu().memoryMib());
    this.totalMemory = Bounds.of(filter.gpu().totalMemoryMib());
    this.cpus = filter.cpus() == null ? null : Bounds.of(filter.cpus());
    this.memory = filter.memoryMib() == null ? null : Bounds.of(filter.memoryMib());
    this.disk = filter.diskMib() == null ? null : Bounds.of(filter.diskMib());
    this.spot = filter.spot() == null ? ANY_SPOT : filter.spot() ? 1 : 0;
    this.providers = anyOf(words, question.providers());
    this.instanceTypes = anyOf(words, question.instanceTypes());
    this.architectures =
        filter.arch() == null ? null : words.matching(List.of(Words.folded(filter.arch().name())));
    this.flags = allowedLists(shapes.lists(), question.flags());
  }

  static Chosen choose(Shapes shapes, Question question) {
    return question.isOfAnyShape()
        ? Chosen.everything(shapes.size())
        : new ShapeJudge(shapes, question).choose();
  }

  private Chosen choose() {
    Chosen chosen = new Chosen(shapes.size());
    for (Model model : shapes.models()) {
      if (model.name() == null ? allowsNone() : allows(model)) {
        for (int id = model.shapes().start(); id < model.shapes().end(); id++) {
          if ((model.name() == null || allowsSize(id)) && allowsMachine(id)) {
            chosen.add(id);
          }
        }
      }
    }
    return chosen;
  }

  /** Whether a machine without accelerators will do. */
  private boolean allowsNone() {
    if (gpu.count() != null && gpu.count().min() != null && gpu.count().min() == 0) {
      return true;
    }
    return gpu.vendor() == null
        && names.isEmpty()
        && gpu.computeCapability() == null
        && gpuCount.contains(0)
        && gpuMemory.contains(0)
        && totalMemory.contains(0);
  }

  private boolean allows(Model model) {
    return (gpu.vendor() == null || gpu.vendor() == model.vendor())
        && (names.isEmpty() || (model.name() != null && names.contains(Words.folded(model.name()))))
        && isCapable(gpu.computeCapability(), model.computeCapability());
  }

  private static boolean isCapable(
      @Nullable Range<ComputeCapability> wanted, @Nullable ComputeCapability found) {
    return wanted == null || (found != null && wanted.contains(found));
  }

  private boolean allowsSize(int id) {
    int count = shapes.columns().gpuCount().get(id);
    long each = shapes.columns().gpuMemoryMib().get(id);
    return gpuCount.contains(count)
        && gpuMemory.contains(each)
        && totalMemory.contains(product(count, each));
  }

  /** The product, or the largest number where it is larger. */
  private static long product(int count, long each) {
    return Math.multiplyHigh(count, each) != 0 || count * each < 0 ? Long.MAX_VALUE : count * each;
  }

  private boolean allowsMachine(int id) {
    ShapeColumns columns = shapes.columns();
    return (spot == ANY_SPOT || spot == columns.spot().get(id))
        && (providers == null || providers.get(columns.provider().get(id)))
        && (cpus == null || cpus.contains(columns.cpus().get(id)))
        && (memory == null || memory.contains(columns.memoryMib().get(id)))
        && (architectures == null || architectures.get(columns.arch().get(id)))
        && (disk == null || allowsDisk(disk, columns.diskMib().get(id)))
        && (instanceTypes == null || instanceTypes.get(columns.instanceType().get(id)))
        && (flags == null || flags.get(columns.flags().get(id)));
  }

  private static boolean allowsDisk(Bounds wanted, long size) {
    return size == ShapeColumns.UNKNOWN || wanted.contains(size);
  }

  private static @Nullable BitSet anyOf(Words words, Set<String> wanted) {
    return wanted.isEmpty() ? null : words.matching(wanted);
  }

  /** The lists of flags that hold nothing but allowed ones; null where all are. */
  private static @Nullable BitSet allowedLists(
      List<List<String>> lists, @Nullable Set<String> allowed) {
    if (allowed == null) {
      return null;
    }
    BitSet found = new BitSet(lists.size());
    for (int i = 0; i < lists.size(); i++) {
      if (lists.get(i).stream().map(Words::folded).allMatch(allowed::contains)) {
        found.set(i);
      }
    }
    return found;
  }
}
