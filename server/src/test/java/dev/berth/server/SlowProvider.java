package dev.berth.server;

import dev.berth.server.plugins.PluginJars;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A provider that answers when the test says so, and the plug-in whose backends ask it. */
final class SlowProvider implements AutoCloseable {
  static final String TYPE = "slow";

  private static final String SOURCE =
      """
      import dev.berth.spi.*;
      import java.io.IOException;
      import java.net.InetAddress;
      import java.net.Socket;
      public final class Slow implements BackendType<Slow.Config> {
        public record Config(int port) {}
        public String name() { return "slow"; }
        public String summary() { return "a provider that takes its time"; }
        public Class<Config> config() { return Config.class; }
        public Traits traits() { return Traits.of(Traits.Base.CONTAINERS); }
        public void check(Config config, BackendContext context) {}
        public Compute open(Config config, BackendContext context) {
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), config.port())) {
            if (socket.getInputStream().read() < 0) {
              throw new BackendException.Transient("the provider hung up", null);
            }
            return new Open();
          } catch (IOException e) {
            throw new BackendException.Transient("the provider does not answer: " + e, e);
          }
        }
        static final class Open implements Compute {
          public Traits traits() { return Traits.of(Traits.Base.CONTAINERS); }
          public Identity identity() { return new Identity.UniqueName(); }
          public Reach reach() { return Reach.ENGINE; }
          public Offers offers() { return new Offers.OwnMachines(); }
          public void close() {}
        }
      }
      """;

  private final ServerSocket door;
  private final Semaphore asked = new Semaphore(0);
  private final Semaphore answers = new Semaphore(0);

  SlowProvider() throws IOException {
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::run);
  }

  /** Puts the plug-in into a home of a server. */
  static void install(Path home) throws IOException {
    new PluginJars(home).jar("slow.jar", List.of("Slow"), Map.of("Slow.java", SOURCE));
  }

  private void run() {
    try {
      while (true) {
        Socket one = door.accept();
        asked.release();
        Thread.ofVirtual().start(() -> answer(one));
      }
    } catch (SocketException e) {
      // The test has ended.
      asked.release();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void answer(Socket one) {
    try (one) {
      answers.acquire();
      one.getOutputStream().write('y');
    } catch (IOException | InterruptedException e) {
      // Whoever asked does not wait any more.
      Thread.currentThread().interrupt();
    }
  }

  Map<String, Object> settings() {
    return Map.of("port", door.getLocalPort());
  }

  /** Waits until a backend asks. */
  void awaitAsked() throws InterruptedException {
    asked.acquire();
  }

  /** Answers one who asks, or will. */
  void answer() {
    answers.release();
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
