package dev.berth.backends.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A program that sends back whatever it gets on a port, until it is ended. */
final class EchoPort {
  private EchoPort() {}

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    try (ServerSocket server = new ServerSocket(port, 5, InetAddress.getLoopbackAddress())) {
      while (true) {
        try (Socket socket = server.accept()) {
          socket.getInputStream().transferTo(socket.getOutputStream());
        }
      }
    }
  }
}
