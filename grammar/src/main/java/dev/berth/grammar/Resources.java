package dev.berth.grammar;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.Size;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a job needs of a machine, in the user's shorthands. */
final class Resources {
  private static final Range<Integer> DEFAULT_CPUS = Range.atLeast(2);
  private static final Range<Size> DEFAULT_MEMORY = Range.atLeast(Size.gib(8));
  private static final Range<Integer> ANY_COUNT = Range.atLeast(0);
  private static final DiskSpec DEFAULT_DISK = new DiskSpec(Range.atLeast(Size.gib(100)));
  private static final DiskSpec ANY_DISK = new DiskSpec(Range.atLeast(Size.gib(0)));
  private static final GpuSpec NO_GPU_NEEDED =
      new GpuSpec(null, List.of(), ANY_COUNT, null, null, null);

  static final Choice<CpuArchitecture> ARCHITECTURE =
      Choice.ofAnyCase(CpuArchitecture.class, Map.of());
  static final Choice<AcceleratorVendor> VENDOR =
      Choice.ofAnyCase(
          AcceleratorVendor.class,
          Map.of("tpu", AcceleratorVendor.GOOGLE, "tt", AcceleratorVendor.TENSTORRENT));

  static final RecordShape<CpuSpec> CPU_MAPPING =
      RecordShape.of(CpuSpec.class)
          .with(new Field<>("arch", ARCHITECTURE, "the processor family, x86 or arm").nullable())
          .with(new Field<>("count", RangeShape.COUNT, "how many cores").filledWith(DEFAULT_CPUS));

  static final Shape<CpuSpec> CPU = new CpuShape(CPU_MAPPING);

  static final RecordShape<GpuSpec> GPU_MAPPING =
      RecordShape.of(GpuSpec.class)
          .with(
              new Field<>(
                      "vendor",
                      VENDOR,
                      "the maker: nvidia, amd, google (or tpu), intel, tenstorrent (or tt)")
                  .nullable())
          .with(
              new Field<>("name", new GpuNames(), "one or several models, any of which will do")
                  .nullable()
                  .orElse(List.of()))
          .with(
              new Field<>("count", RangeShape.COUNT, "how many accelerators")
                  .orElse(Range.atLeast(1)))
          .with(
              new Field<>("memory", RangeShape.SIZE, "memory of each accelerator")
                  .nullable()
                  .normalised("memory_mib"))
          .with(
              new Field<>("total_memory", RangeShape.SIZE, "memory of all accelerators together")
                  .nullable()
                  .normalised("total_memory_mib"))
          .with(
              new Field<>(
                      "compute_capability",
                      new ComputeCapabilityShape(),
                      "the least compute capability, such as 7.5")
                  .nullable());

  static final Shape<GpuSpec> GPU = new GpuShape(GPU_MAPPING);

  static final RecordShape<DiskSpec> DISK_MAPPING =
      RecordShape.of(DiskSpec.class)
          .with(
              new Field<>("size", RangeShape.SIZE, "how much disk space")
                  .required()
                  .normalised("size_mib"));

  static final RecordShape<ResourcesSpec> RESOURCES =
      RecordShape.of(ResourcesSpec.class)
          .with(
              new Field<>("cpu", CPU, "processors, such as 4, 2..8 or arm:4..")
                  .filledWith(new CpuSpec(null, DEFAULT_CPUS)))
          .with(
              new Field<>("memory", RangeShape.SIZE, "main memory, such as 16GB or 8GB..")
                  .normalised("memory_mib")
                  .filledWith(DEFAULT_MEMORY))
          .with(
              new Field<>("shm_size", Sizes.SIZE, "shared memory, such as 8GB")
                  .nullable()
                  .normalised("shm_size_mib"))
          .with(
              new Field<>("gpu", GPU, "accelerators, such as A100:80GB:2")
                  .nullable()
                  .filledWith(NO_GPU_NEEDED))
          .with(
              new Field<>("disk", new DiskShape(DISK_MAPPING), "disk space, such as 100GB..")
                  .nullMeans(ANY_DISK)
                  .filledWith(DEFAULT_DISK))
          .removed("gpu_vendor", "write it into 'gpu', such as gpu: amd:MI300X");

  private Resources() {}

  static @Nullable AcceleratorVendor vendor(String text) {
    return VENDOR.find(text);
  }

  static @Nullable CpuArchitecture architecture(String text) {
    return ARCHITECTURE.find(text);
  }

  /** One name or several; a comma separates names in one text. */
  private static final class GpuNames implements Shape<List<String>> {
    private static final Shape<List<String>> LIST = ListShape.of(Scalars.TEXT);

    @Override
    public @Nullable List<String> read(Node node, Reading reading) {
      List<String> names =
          node instanceof Node.Scalar scalar
              ? List.of(scalar.text().replace(" ", "").split(",", GpuShape.MAX_NAMES + 1))
              : LIST.read(node, reading);
      if (names == null) {
        return null;
      }
      if (names.size() > GpuShape.MAX_NAMES) {
        reading.error(
            Rule.GPU_SYNTAX, node, "there are more than " + GpuShape.MAX_NAMES + " GPU names");
        return null;
      }
      if (names.stream().anyMatch(String::isBlank)) {
        reading.error(
            Rule.GPU_SYNTAX, node, "a GPU name is empty; write names such as A100 or A100,H100");
        return null;
      }
      return names.stream().map(name -> GpuShape.withoutTpuPrefix(name, node, reading)).toList();
    }

    @Override
    public Object write(List<String> value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      Map<String, Object> name = Map.of("type", List.of("string", "number"), "pattern", "\\S");
      Map<String, Object> names =
          Map.of(
              "type",
              List.of("string", "number"),
              "pattern",
              "^\\s*[^\\s,][^,]*(,\\s*[^\\s,][^,]*)*$");
      return SchemaBuilder.anyOf(List.of(names, Map.of("type", "array", "items", name)));
    }
  }

  private static final class ComputeCapabilityShape implements Shape<ComputeCapability> {
    private static final Pattern SYNTAX = Pattern.compile("\\s*([0-9]{1,4})\\.([0-9]{1,4})\\s*");

    @Override
    public @Nullable ComputeCapability read(Node node, Reading reading) {
      String text =
          node instanceof Node.Sequence pair
                  && pair.items().size() == 2
                  && pair.items().stream().allMatch(Node.Scalar.class::isInstance)
              ? ((Node.Scalar) pair.items().get(0)).text()
                  + "."
                  + ((Node.Scalar) pair.items().get(1)).text()
              : Scalars.scalarText(
                  node,
                  reading,
                  Rule.COMPUTE_CAPABILITY_SYNTAX,
                  "a compute capability such as 7.5");
      if (text == null) {
        return null;
      }
      Matcher matcher = SYNTAX.matcher(text);
      if (!matcher.matches()) {
        reading.error(
            Rule.COMPUTE_CAPABILITY_SYNTAX,
            node,
            "expected a compute capability such as 7.5, found " + node.kindName());
        return null;
      }
      return new ComputeCapability(
          Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public Object write(ComputeCapability value) {
      return value.toString();
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      // A number such as 9.0 reaches a JSON validator as the integer 9.
      return SchemaBuilder.anyOf(
          List.of(
              Map.of("type", "number", "minimum", 0),
              SchemaBuilder.text("^" + SYNTAX + "$"),
              Map.of("type", "array", "minItems", 2, "maxItems", 2)));
    }
  }

  private record DiskShape(RecordShape<DiskSpec> mapping) implements Shape<DiskSpec> {
    @Override
    public @Nullable DiskSpec read(Node node, Reading reading) {
      if (node instanceof Node.Mapping bounds
          && !bounds.entries().isEmpty()
          && List.of("min", "max").containsAll(bounds.entries().keySet())) {
        reading
            .field("size")
            .error(
                Rule.FIELD_REQUIRED,
                node,
                "the range of a disk is its 'size'; write size: {min: 8GB}, or 8GB.. in one word");
        return null;
      }
      if (!(node instanceof Node.Scalar)) {
        return mapping.read(node, reading);
      }
      Range<Size> size = RangeShape.SIZE.read(node, reading);
      return size == null ? null : new DiskSpec(size);
    }

    @Override
    public List<? extends Shape<?>> parts() {
      return List.of(mapping);
    }

    @Override
    public @Nullable Object write(DiskSpec value) {
      return mapping.write(value);
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(List.of(RangeShape.SIZE.lineSchema(), mapping.schema(schemas)));
    }
  }
}
