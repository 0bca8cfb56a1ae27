package dev.berth.model.offers;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The models of accelerators that are known, under every name that providers give them.
 *
 * <p>Case, blanks, '-' and '_' do not tell models apart, nor do words for the vendor, the form
 * factor or the memory: {@code NVIDIA A100-SXM4-80GB} is an A100.
 */
public final class Accelerators {
  private static final Pattern SEPARATORS = Pattern.compile("[\\s_-]+");

  /** A family of TPUs, or one of its slices: {@code tpu-v5e-8}. */
  private static final Pattern TPU =
      Pattern.compile(
          "(?:(?:google|cloud)[\\s_-]+)?(?:tpu[\\s_-]*)?(v[0-9]+(?:e|p|litepod|lite)?)(?:-([0-9]{1,6}))?",
          Pattern.CASE_INSENSITIVE);

  /** Words that may stand before or after a model and do not make it another one. */
  private static final Pattern DECORATION =
      Pattern.compile(
          "NVIDIA|AMD|INTEL|HABANA|TENSTORRENT|GEFORCE|TESLA|QUADRO|GRID|RADEON|INSTINCT|GPU"
              + "|SXM[0-9]?|PCIE|NVLINK|HBM[0-9]E?|MEGA|MIG|CC|WK|WS|SE|SERVER|WORKSTATION|EDITION"
              + "|GENERATION|BLACKWELL|[0-9]{1,4}GB?");

  /** The same words where nothing separates them from the model: {@code RTXPRO6000WS}. */
  private static final Pattern ATTACHED =
      Pattern.compile(
          "^(?:NVIDIA|AMD|INTEL|GEFORCE|TESLA|QUADRO|RADEON|INSTINCT)|(?:SXM[0-9]?|PCIE|NVLINK|WK|WS)$");

  private static final List<Accelerator> ALL =
      AcceleratorTable.LINES
          .lines()
          .filter(line -> !line.isBlank())
          .map(Accelerators::read)
          .toList();
  private static final Map<String, Accelerator> BY_NAME = index();

  private static final Pattern STATED_SIZE =
      Pattern.compile("(?:^|[\\s_-])([0-9]{1,4})GB?(?:$|[\\s_-])", Pattern.CASE_INSENSITIVE);

  private Accelerators() {}

  /** Every model, NVIDIA's first, then by vendor. */
  public static List<Accelerator> all() {
    return ALL;
  }

  /** The model that a provider means; the family for a slice of TPUs. */
  public static Optional<Accelerator> find(String nameOrAlias) {
    Matcher tpu = TPU.matcher(nameOrAlias.strip());
    if (tpu.matches()) {
      Accelerator family = BY_NAME.get(key(tpu.group(1)));
      if (family != null && family.vendor() == AcceleratorVendor.GOOGLE) {
        return Optional.of(family);
      }
    }
    String whole = key(nameOrAlias);
    return Optional.ofNullable(BY_NAME.get(whole))
        .or(() -> Optional.ofNullable(BY_NAME.get(undecorated(nameOrAlias))))
        .or(() -> Optional.ofNullable(BY_NAME.get(unattached(nameOrAlias))));
  }

  /**
   * How the catalog writes a name: the model's own spelling, with the size for a slice of TPUs. A
   * name that is not known stays as it is.
   */
  public static String canonical(String name) {
    Optional<Accelerator> found = find(name);
    if (found.isEmpty()) {
      return name;
    }
    Matcher tpu = TPU.matcher(name.strip());
    boolean slice =
        found.get().vendor() == AcceleratorVendor.GOOGLE && tpu.matches() && tpu.group(2) != null;
    return slice ? found.get().name() + "-" + tpu.group(2) : found.get().name();
  }

  /** The memory that a name states, as in {@code A100-80GB}; a name of its own does not count. */
  public static OptionalInt statedMemoryGib(String name) {
    Matcher size = STATED_SIZE.matcher(name);
    return size.find() ? OptionalInt.of(Integer.parseInt(size.group(1))) : OptionalInt.empty();
  }

  private static String key(String name) {
    return SEPARATORS.matcher(name).replaceAll("").toUpperCase(Locale.ROOT);
  }

  private static String undecorated(String name) {
    return SEPARATORS
        .splitAsStream(name.toUpperCase(Locale.ROOT))
        .filter(word -> !DECORATION.matcher(word).matches())
        .collect(Collectors.joining());
  }

  private static String unattached(String name) {
    return ATTACHED.matcher(undecorated(name)).replaceAll("");
  }

  private static Accelerator read(String line) {
    String[] columns = line.strip().split("\\s+");
    AcceleratorVendor vendor = AcceleratorVendor.valueOf(columns[0]);
    List<Integer> memory =
        columns[2].equals("-")
            ? List.of()
            : Arrays.stream(columns[2].split(",")).map(Integer::valueOf).toList();
    @Nullable ComputeCapability capability =
        vendor == AcceleratorVendor.NVIDIA ? capability(columns[3]) : null;
    @Nullable String architecture =
        vendor == AcceleratorVendor.NVIDIA || columns[3].equals("-") ? null : columns[3];
    List<String> aliases = Arrays.asList(columns).subList(4, columns.length);
    return new Accelerator(vendor, columns[1], memory, capability, architecture, aliases);
  }

  private static ComputeCapability capability(String text) {
    int dot = text.indexOf('.');
    return new ComputeCapability(
        Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
  }

  private static Map<String, Accelerator> index() {
    Map<String, Accelerator> byName = new HashMap<>();
    for (Accelerator accelerator : ALL) {
      List<String> names = new ArrayList<>(accelerator.aliases());
      names.add(accelerator.name());
      for (String name : names) {
        Accelerator other = byName.putIfAbsent(key(name), accelerator);
        if (other != null) {
          throw new IllegalStateException(
              name + " names both " + other.name() + " and " + accelerator.name());
        }
      }
    }
    return Map.copyOf(byName);
  }
}
