package dev.berth.hosts.docker;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.LocalAccess;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers on a socket as engines do that cannot be had here, or that misbehave. */
public final class FakeEngine implements AutoCloseable {
  private final Path socket;
  private final ServerSocketChannel server;
  private final Answers answers;
  private final List<SocketChannel> channels = new CopyOnWriteArrayList<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  /** What somebody asked, with the version in the path. */
  public record Asked(String method, String path, String body) {}

  /** Writes the answer to a question. */
  public interface Answers {
    void answer(Asked asked, OutputStream out) throws IOException;
  }

  public FakeEngine(Path socket, Answers answers) {
    this.socket = socket;
    this.answers = answers;
    try {
      this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Thread.ofVirtual().name("fake-engine").start(this::accept);
  }

  /** A whole answer. */
  public static void send(OutputStream out, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    out.write(
        "HTTP/1.1 %d It\r\nContent-Length: %d\r\n\r\n"
            .formatted(status, bytes.length)
            .getBytes(StandardCharsets.US_ASCII));
    out.write(bytes);
    out.flush();
  }

  public Engine engine() {
    return new Engine(
        new UnixEngine(LocalAccess.ofThisMachine().streams(), MachinePath.of(socket.toString())));
  }

  public String host() {
    return "unix://" + socket;
  }

  public List<Asked> asked() {
    return List.copyOf(asked);
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel channel = server.accept();
        channels.add(channel);
        Thread.ofVirtual().start(() -> serve(channel));
      } catch (IOException closed) {
        log(closed);
      }
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      InputStream in = new BufferedInputStream(Channels.newInputStream(channel));
      String[] first = HttpHead.line(in).split(" ", 3);
      int length = 0;
      for (String line = HttpHead.line(in); !line.isEmpty(); line = HttpHead.line(in)) {
        if (line.startsWith("Content-Length: ")) {
          length = Integer.parseInt(line.substring("Content-Length: ".length()));
        }
      }
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      Asked question = new Asked(first[0], first[1], body);
      asked.add(question);
      answers.answer(question, Channels.newOutputStream(channel));
    } catch (IOException hungUp) {
      log(hungUp);
    }
  }

  private static void log(IOException ended) {
    System.getLogger(FakeEngine.class.getName())
        .log(System.Logger.Level.DEBUG, "A connection has ended", ended);
  }

  @Override
  public void close() {
    try {
      server.close();
      for (SocketChannel channel : channels) {
        channel.close();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
