package dev.berth.hosts.gpus;

import dev.berth.hosts.access.local.Executables;
import dev.berth.spi.BackendException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The accelerators of this machine, by the tools of their vendors.
 *
 * <p>A tool that is missing means that there are none of its vendor; one that fails is logged and
 * means the same, for as long as it fails. What was seen once is remembered, because jobs may have
 * it, and others must not.
 */
public final class GpuInventory {
  private static final System.Logger LOGGER = System.getLogger(GpuInventory.class.getName());

  private static final Duration TOOL_TIME_LIMIT = Duration.ofSeconds(5);

  /** Where drivers put their tools without telling the {@code PATH}. */
  private static final List<Path> TOOL_FOLDERS =
      List.of(Path.of("/opt/rocm/bin"), Path.of("/usr/lib/wsl/lib"));

  private final Executables executables;
  private final ToolRun runs;

  /** All that were ever seen, by id, in the order of the tools. Written by {@link #look}. */
  private final AtomicReference<Map<String, Gpu>> seen = new AtomicReference<>(Map.of());

  /** Whether the tools were asked at all. Written by {@link #look}. */
  private volatile boolean looked;

  /**
   * Asks nobody yet.
   *
   * @param executables where the tools are looked for
   * @param timeLimit after which a tool is killed
   */
  public GpuInventory(Executables executables, Duration timeLimit) {
    this.executables = executables;
    this.runs = new ToolRun(timeLimit);
  }

  /** The accelerators of this machine, by the tools of a {@code PATH} or of drivers. */
  public static GpuInventory ofThisMachine(Executables path) {
    return new GpuInventory(path.and(TOOL_FOLDERS), TOOL_TIME_LIMIT);
  }

  /** Asks the tools, one after the other; without any of them this takes microseconds. */
  public List<Gpu> look() {
    List<Gpu> found = Stream.of(Vendor.values()).flatMap(vendor -> ask(vendor).stream()).toList();
    seen.updateAndGet(before -> together(before, found));
    looked = true;
    return found;
  }

  /** All accelerators that were ever seen; asks the tools only if nobody has yet. */
  public List<Gpu> seen() {
    if (!looked) {
      look();
    }
    return List.copyOf(seen.get().values());
  }

  /**
   * The same, of which some must be.
   *
   * @throws BackendException.Transient where one of them was never seen
   */
  public List<Gpu> requireSeen(Set<String> ids) {
    List<Gpu> all = seen();
    Set<String> missing = new TreeSet<>(ids);
    missing.removeAll(all.stream().map(Gpu::id).collect(Collectors.toSet()));
    if (!missing.isEmpty()) {
      throw new BackendException.Transient(
          "this machine does not show the GPU " + String.join(", ", missing) + " any more", null);
    }
    return all;
  }

  private static Map<String, Gpu> together(Map<String, Gpu> before, List<Gpu> found) {
    Map<String, Gpu> all = new LinkedHashMap<>(before);
    found.forEach(gpu -> all.put(gpu.id(), gpu));
    return Collections.unmodifiableMap(all);
  }

  private List<Gpu> ask(Vendor vendor) {
    for (GpuTool tool : GpuTool.ALL) {
      if (tool.vendor() == vendor) {
        Optional<Path> executable = executables.find(tool.name());
        List<Gpu> found = executable.isEmpty() ? List.of() : ask(tool, executable.get());
        if (!found.isEmpty()) {
          return found;
        }
      }
    }
    return List.of();
  }

  private List<Gpu> ask(GpuTool tool, Path executable) {
    try {
      return tool.parser().apply(output(executable, tool.arguments()));
    } catch (ToolRun.FailedException | UnreadableOutputException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          executable + " tells of no GPUs, so none are offered: " + failure.getMessage());
    } catch (IOException failure) {
      LOGGER.log(System.Logger.Level.WARNING, executable + " cannot be run", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return List.of();
  }

  private String output(Path executable, List<String> arguments)
      throws ToolRun.FailedException, IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.addAll(arguments);
    return runs.output(command);
  }

  /**
   * How busy the accelerators of a vendor are now, in percent, by id; those that the tool does not
   * know are missing.
   *
   * @throws BackendException.Transient where no tool of the vendor tells
   */
  Map<String, Integer> measure(Vendor vendor) {
    List<String> failures = new ArrayList<>();
    for (GpuMeter meter : GpuMeter.ALL) {
      Optional<Path> executable =
          meter.vendor() == vendor ? executables.find(meter.name()) : Optional.empty();
      if (executable.isPresent()) {
        try {
          return meter
              .parser()
              .apply(output(executable.get(), meter.arguments()), () -> ask(vendor));
        } catch (ToolRun.FailedException | UnreadableOutputException | IOException failure) {
          failures.add(executable.get() + ": " + failure.getMessage());
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new BackendException.Transient("a look at GPUs was interrupted", interrupted);
        }
      }
    }
    throw new BackendException.Transient(
        "no tool tells how busy the %s GPUs of this machine are: %s"
            .formatted(vendor.word(), String.join("; ", failures)),
        null);
  }
}
