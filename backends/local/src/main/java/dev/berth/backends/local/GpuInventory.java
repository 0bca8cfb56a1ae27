package dev.berth.backends.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The accelerators of this machine, by the tools of their vendors.
 *
 * <p>A tool that is missing means that there are none of its vendor; one that fails is logged and
 * means the same, for as long as it fails. What was seen once is remembered, because jobs may have
 * it, and others must not.
 */
final class GpuInventory {
  private static final System.Logger LOGGER = System.getLogger(GpuInventory.class.getName());

  private final Executables executables;
  private final ToolRun runs;
  private final ReentrantLock lock = new ReentrantLock();

  /** All that were ever seen, by id, in the order of the tools. Guarded by the lock. */
  private final Map<String, Gpu> seen = new LinkedHashMap<>();

  /** Whether the tools were asked at all. Guarded by the lock. */
  private boolean looked;

  GpuInventory(Executables executables, ToolRun runs) {
    this.executables = executables;
    this.runs = runs;
  }

  /** Asks the tools, one after the other; without any of them this takes microseconds. */
  List<Gpu> look() {
    lock.lock();
    try {
      List<Gpu> found = Stream.of(Vendor.values()).flatMap(vendor -> ask(vendor).stream()).toList();
      found.forEach(gpu -> seen.put(gpu.id(), gpu));
      looked = true;
      return found;
    } finally {
      lock.unlock();
    }
  }

  /** All accelerators that were ever seen; asks the tools only if nobody has yet. */
  List<Gpu> seen() {
    lock.lock();
    try {
      if (!looked) {
        look();
      }
      return List.copyOf(seen.values());
    } finally {
      lock.unlock();
    }
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
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.addAll(tool.arguments());
    try {
      return tool.parser().apply(runs.output(command));
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
}
