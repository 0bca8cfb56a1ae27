package dev.berth.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A program for jobs: tells its port, which it chooses itself so that nobody else has it, answers
 * with all that it reads while it reads it, and ends its answer when its input has ended.
 */
final class EchoServer {
  private EchoServer() {}

  public static void main(String[] arguments) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      System.out.println("port " + server.getLocalPort());
      while (true) {
        try (Socket guest = server.accept()) {
          guest.getInputStream().transferTo(guest.getOutputStream());
          guest.shutdownOutput();
        }
      }
    }
  }
}
