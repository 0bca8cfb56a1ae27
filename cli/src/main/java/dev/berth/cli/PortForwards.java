package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.client.JobStream;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ports of this machine, on loopback only, that lead to ports of a run while it is followed. Each
 * connection is one of its own to the server.
 */
final class PortForwards implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PortForwards.class.getName());
  private static final int PIECE = 32 * 1024;

  private record Door(ServerSocket socket, int job) {}

  private final List<Door> doors;
  private final PrintWriter err;

  /** What was said of ports, so that each trouble is told once. */
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /** Who is asked now; a server that was started again is another one. */
  private volatile @Nullable Connection connection;

  private PortForwards(List<Door> doors, PrintWriter err) {
    this.doors = doors;
    this.err = err;
  }

  /**
   * Takes the ports of this machine. Who connects waits until {@link #lead}.
   *
   * @param advice what to do where a port is taken, with {@code %d} for the port of the job
   */
  static PortForwards open(List<ForwardedPort> ports, String advice, PrintWriter err) {
    PortForwards opened = new PortForwards(new ArrayList<>(), err);
    for (ForwardedPort port : ports) {
      try {
        ServerSocket socket = new ServerSocket();
        opened.doors.add(new Door(socket, port.job()));
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.local()));
      } catch (IOException e) {
        opened.close();
        throw new CommandFailure(
            ExitCode.FAILED,
            "cannot listen on port %d of this machine (%s); %s"
                .formatted(port.local(), e.getMessage(), advice.formatted(port.job())));
      }
    }
    return opened;
  }

  /** Says where the ports lead, and lets connections through. */
  void lead(Connection first, RunView run) {
    connection = first;
    for (Door door : doors) {
      tell(
          "forwarding 127.0.0.1:%d to port %d of %s"
              .formatted(door.socket().getLocalPort(), door.job(), run.name()));
      Thread.ofVirtual().name("port-" + door.job()).start(() -> accept(door, run));
    }
  }

  /** From now on another connection is used. */
  void use(Connection other) {
    connection = other;
  }

  private void tell(String sentence) {
    if (said.add(sentence)) {
      err.println("berth: " + sentence);
      err.flush();
    }
  }

  private void accept(Door door, RunView run) {
    try {
      while (!door.socket().isClosed()) {
        Socket guest = door.socket().accept();
        Thread.ofVirtual().name("guest-" + door.job()).start(() -> serve(guest, door.job(), run));
      }
    } catch (IOException e) {
      // To close it is the usual end.
      LOG.log(System.Logger.Level.DEBUG, "No more connections are taken", e);
    }
  }

  private void serve(Socket guest, int port, RunView run) {
    Connection now = connection;
    if (now == null) {
      throw new IllegalStateException("nobody connects before ports lead somewhere");
    }
    try (guest;
        JobStream stream =
            now.client()
                .connect(
                    now.project(),
                    run.id(),
                    BerthClient.Source.FIRST_NODE,
                    port,
                    new Guest(guest))) {
      Thread.ofVirtual().name("guest-input").start(() -> pass(guest, stream));
      stream.await();
    } catch (ClientException e) {
      tell("port " + port + ": " + e.getMessage());
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "A connection broke", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pass(Socket guest, JobStream stream) {
    byte[] piece = new byte[PIECE];
    try {
      InputStream in = guest.getInputStream();
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        stream.send(piece, 0, count);
      }
      stream.endInput();
    } catch (IOException | ClientException e) {
      LOG.log(System.Logger.Level.DEBUG, "A connection broke", e);
      stream.close();
    }
  }

  /** Who has connected to a port of this machine. */
  private record Guest(Socket socket) implements JobStream.Receiver {
    @Override
    public void output(byte[] bytes) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
    }

    @Override
    public void outputEnded() throws IOException {
      socket.shutdownOutput();
    }
  }

  @Override
  public void close() {
    for (Door door : doors) {
      try {
        door.socket().close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "A port is not let go of", e);
      }
    }
  }
}
