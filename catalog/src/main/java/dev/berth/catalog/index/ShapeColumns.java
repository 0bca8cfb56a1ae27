package dev.berth.catalog.index;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of a snapshot as columns, in the order of {@link Shape#ORDER}. Texts, and lists of
 * them, are numbers.
 */
record ShapeColumns(
    LongBuffer memoryMib,
    LongBuffer gpuMemoryMib,
    LongBuffer diskMib,
    IntBuffer provider,
    IntBuffer instanceType,
    IntBuffer spot,
    IntBuffer cpus,
    IntBuffer arch,
    IntBuffer gpuVendor,
    IntBuffer gpuName,
    IntBuffer gpuCount,
    IntBuffer flags,
    IntBuffer providerData,
    IntBuffer repairs) {
  private static final int LONGS = 3;
  private static final int INTS = 11;
  static final int BYTES = LONGS * Long.BYTES + INTS * Integer.BYTES;

  /** Stands for a disk whose size is not known. */
  static final long UNKNOWN = -1;

  /** Lays the columns over a section of a file, or over an empty one that is to be filled. */
  static ShapeColumns over(ByteBuffer section) {
    int size = section.limit() / BYTES;
    Cutter cutter = new Cutter(section, size);
    return new ShapeColumns(
        cutter.longs(),
        cutter.longs(),
        cutter.longs(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints(),
        cutter.ints());
  }

  int size() {
    return provider.limit();
  }

  void put(int id, Shape shape, Numbering<String> words, Numbering<List<String>> lists) {
    Gpu gpu = shape.gpu();
    Long disk = shape.diskMib();
    memoryMib.put(id, shape.memoryMib());
    gpuMemoryMib.put(id, gpu == null ? 0 : gpu.memoryMib());
    diskMib.put(id, disk == null ? UNKNOWN : disk);
    provider.put(id, words.id(shape.provider()));
    instanceType.put(id, words.id(shape.instanceType()));
    spot.put(id, shape.spot() ? 1 : 0);
    cpus.put(id, shape.cpus());
    arch.put(id, words.id(shape.arch().name()));
    gpuVendor.put(id, gpu == null ? Words.NONE : words.id(gpu.vendor().name()));
    gpuName.put(id, gpu == null ? Words.NONE : words.id(gpu.name()));
    gpuCount.put(id, gpu == null ? 0 : gpu.count());
    flags.put(id, lists.id(shape.flags()));
    providerData.put(id, words.id(shape.providerData()));
    repairs.put(id, lists.id(shape.repairs()));
  }

  Shape shape(int id, Words words, List<List<String>> lists) {
    long disk = diskMib.get(id);
    return new Shape(
        words.text(provider.get(id)),
        words.text(instanceType.get(id)),
        spot.get(id) != 0,
        cpus.get(id),
        CpuArchitecture.valueOf(words.text(arch.get(id))),
        memoryMib.get(id),
        gpu(id, words),
        disk == UNKNOWN ? null : disk,
        lists.get(flags.get(id)),
        words.text(providerData.get(id)),
        lists.get(repairs.get(id)));
  }

  private @Nullable Gpu gpu(int id, Words words) {
    if (gpuName.get(id) == Words.NONE) {
      return null;
    }
    return new Gpu(
        AcceleratorVendor.valueOf(words.text(gpuVendor.get(id))),
        words.text(gpuName.get(id)),
        gpuCount.get(id),
        gpuMemoryMib.get(id));
  }

  static CatalogItem item(Shape shape, Place place, double price) {
    return new CatalogItem(
        shape.provider(),
        shape.instanceType(),
        place.region(),
        place.zone(),
        price,
        shape.cpus(),
        shape.arch(),
        shape.memoryMib(),
        shape.gpu(),
        shape.diskMib(),
        shape.spot(),
        shape.flags(),
        shape.providerData(),
        shape.repairs());
  }

  /** Cuts columns from the front of a section. */
  private static final class Cutter {
    private final ByteBuffer section;
    private final int size;
    private int position;

    Cutter(ByteBuffer section, int size) {
      this.section = section;
      this.size = size;
    }

    LongBuffer longs() {
      return next(size * Long.BYTES).asLongBuffer();
    }

    IntBuffer ints() {
      return next(size * Integer.BYTES).asIntBuffer();
    }

    private ByteBuffer next(int bytes) {
      ByteBuffer column = section.slice(position, bytes).order(section.order());
      position += bytes;
      return column;
    }
  }
}
