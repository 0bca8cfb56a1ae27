package dev.berth.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for programs that have to be told which one they shall listen at. */
public final class QuietPort {
  private static final System.Logger LOG = System.getLogger(QuietPort.class.getName());

  private QuietPort() {}

  /**
   * A free port below those that the system gives to whoever names none: a program takes long to
   * listen there, and nobody must have got it meanwhile.
   */
  public static int choose() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "Somebody has the port " + port, e);
      }
    }
  }
}
