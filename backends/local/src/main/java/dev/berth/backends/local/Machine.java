package dev.berth.backends.local;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.spi.BackendException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine has, as it is now. */
record Machine(String name, int cpus, long memoryMib, long diskMib) {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  /**
   * Looks.
   *
   * @param dataDirectory the folder whose disk counts
   */
  static Machine look(Path dataDirectory) {
    try {
      return new Machine(
          hostName(),
          Runtime.getRuntime().availableProcessors(),
          memoryBytes() >> 20,
          Files.getFileStore(dataDirectory).getUsableSpace() >> 20);
    } catch (IOException failure) {
      throw new BackendException.Transient(
          "this machine cannot be looked at: " + failure.getMessage(), failure);
    }
  }

  private static String hostName() throws IOException {
    return Files.isReadable(HOST_NAME)
        ? Files.readString(HOST_NAME).strip()
        : InetAddress.getLocalHost().getHostName();
  }

  private static long memoryBytes() {
    long total =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    return Math.min(total, CgroupMemory.limit(Path.of("/")).orElse(total));
  }
}
