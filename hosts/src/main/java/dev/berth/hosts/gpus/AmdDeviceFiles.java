package dev.berth.hosts.gpus;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * The files of {@code /dev} through which AMD's accelerators are used: one for all of them, and one
 * for each, whose number the kernel tells together with the serial number that ROCm names it by.
 *
 * @param system the root of the file system
 */
public record AmdDeviceFiles(Path system) {
  private static final System.Logger LOGGER = System.getLogger(AmdDeviceFiles.class.getName());

  private static final String TOPOLOGY = "sys/class/kfd/kfd/topology/nodes";
  private static final String UUID_PREFIX = "GPU-";

  /** An accelerator as the kernel tells of it; the serial number is 0 where it has none. */
  private record Node(int number, long serial, int renderMinor) {}

  /**
   * The file of each accelerator, by id. One of which the kernel does not tell for sure which it is
   * has none: a job must not get that of another.
   *
   * @param all those of the machine, in the order of the vendor's tool
   */
  public Map<String, Path> files(List<Gpu> all) {
    List<Gpu> gpus = all.stream().filter(gpu -> gpu.vendor() == Vendor.AMD).toList();
    if (gpus.isEmpty() || Files.notExists(shared())) {
      return Map.of();
    }
    List<Node> nodes = nodes();
    Map<String, Path> files = new HashMap<>();
    for (Gpu gpu : gpus) {
      List<Node> same =
          gpu.id().startsWith(UUID_PREFIX)
              ? withSerial(nodes, gpu)
              : atPosition(nodes, gpu, gpus.size());
      if (same.size() == 1) {
        Path file = system.resolve("dev/dri/renderD" + same.getFirst().renderMinor());
        if (Files.exists(file)) {
          files.put(gpu.id(), file);
        }
      }
    }
    return files;
  }

  private static List<Node> withSerial(List<Node> nodes, Gpu gpu) {
    long serial = Long.parseUnsignedLong(gpu.id().substring(UUID_PREFIX.length()), 16);
    return nodes.stream().filter(node -> node.serial() == serial).toList();
  }

  /** Positions mean something only where tool and kernel tell of the same accelerators. */
  private static List<Node> atPosition(List<Node> nodes, Gpu gpu, int count) {
    return nodes.size() == count
        ? nodes.stream().skip(Integer.parseInt(gpu.selector())).limit(1).toList()
        : List.of();
  }

  /** The file that all of them are used through. */
  public Path shared() {
    return system.resolve("dev/kfd");
  }

  /**
   * The numbers of the groups that may open files. Root's is left out: whoever is in it may open
   * more than these.
   */
  public static List<String> groups(List<Path> files) {
    TreeSet<Integer> groups = new TreeSet<>();
    for (Path file : files) {
      group(file).ifPresent(groups::add);
    }
    groups.remove(0);
    return groups.stream().map(String::valueOf).toList();
  }

  private static OptionalInt group(Path file) {
    try {
      return Files.getAttribute(file, "unix:gid") instanceof Integer gid
          ? OptionalInt.of(gid)
          : OptionalInt.empty();
    } catch (IOException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "The group of " + file + " cannot be seen", failure);
      return OptionalInt.empty();
    }
  }

  /** Those of the kernel's list that are accelerators, in its order. */
  private List<Node> nodes() {
    Path topology = system.resolve(TOPOLOGY);
    List<Node> nodes = new ArrayList<>();
    if (Files.isDirectory(topology)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(topology, "[0-9]*")) {
        for (Path folder : folders) {
          node(folder).ifPresent(nodes::add);
        }
      } catch (IOException failure) {
        LOGGER.log(System.Logger.Level.WARNING, topology + " cannot be read", failure);
        return List.of();
      }
    }
    nodes.sort(Comparator.comparingInt(Node::number));
    return nodes;
  }

  /** Empty for processors, and for accelerators that somebody else keeps from us. */
  private static Optional<Node> node(Path folder) {
    Map<String, Long> values = new HashMap<>();
    try {
      for (String line : Files.readAllLines(folder.resolve("properties"))) {
        String[] words = line.strip().split(" ");
        if (words.length == 2 && words[1].matches("[0-9]{1,20}")) {
          values.put(words[0], Long.parseUnsignedLong(words[1]));
        }
      }
    } catch (IOException | NumberFormatException failure) {
      LOGGER.log(System.Logger.Level.DEBUG, folder + " cannot be read", failure);
      return Optional.empty();
    }
    long minor = values.getOrDefault("drm_render_minor", 0L);
    return minor <= 0 || minor > Integer.MAX_VALUE
        ? Optional.empty()
        : Optional.of(
            new Node(
                Integer.parseInt(folder.getFileName().toString()),
                values.getOrDefault("unique_id", 0L),
                (int) minor));
  }
}
