package dev.berth.hosts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for somebody who binds it later. It is none of those that the kernel hands out by itself,
 * so that no connection of another test gets it in between.
 */
public final class FreePort {
  private static final int LOWEST = 20_000;
  private static final int KERNELS_LOWEST = 32_768;
  private static final int MOST_TRIES = 100;

  private FreePort() {}

  public static int find() throws IOException {
    IOException taken = new IOException("no port was tried");
    for (int left = MOST_TRIES; left > 0; left--) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, KERNELS_LOWEST);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (IOException inUse) {
        taken = inUse;
      }
    }
    throw taken;
  }
}
