package dev.berth.model.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port that nobody uses now, for one who binds it later. It lies below those that the kernel
 * gives to connections: of these any may be taken in between, even by who tries to connect to it.
 */
public final class FreePort {
  private static final int LOWEST = 10_000;
  private static final int TRIES = 1000;
  private static final int LONGEST_RANGE = 64;

  private FreePort() {}

  public static int find() throws IOException {
    int end = firstOfTheKernel();
    for (int i = 0; i < TRIES && end > LOWEST; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
      if (isFree(port)) {
        return port;
      }
    }
    // The kernel gives away nearly all of them here.
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static int firstOfTheKernel() throws IOException {
    try (InputStream file =
        Files.newInputStream(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
      // In one read: the kernel gives nothing to the second.
      String range = new String(file.readNBytes(LONGEST_RANGE), StandardCharsets.US_ASCII);
      return Integer.parseInt(range.strip().split("\\s+")[0]);
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket _ = new ServerSocket(port)) {
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
