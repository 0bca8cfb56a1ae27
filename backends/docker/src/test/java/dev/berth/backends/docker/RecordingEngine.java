package dev.berth.backends.docker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A socket in front of an engine's, which keeps all that is asked. */
final class RecordingEngine implements AutoCloseable {
  private final ServerSocketChannel server;
  private final Path engine;
  private final List<ByteArrayOutputStream> requests = new CopyOnWriteArrayList<>();
  private final List<SocketChannel> channels = new CopyOnWriteArrayList<>();

  RecordingEngine(Path socket, Path engine) {
    this.engine = engine;
    try {
      this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel near = server.accept();
        SocketChannel far = SocketChannel.open(UnixDomainSocketAddress.of(engine));
        channels.addAll(List.of(near, far));
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        requests.add(request);
        Thread.ofVirtual().start(() -> copy(near, far, request));
        Thread.ofVirtual().start(() -> copy(far, near, new ByteArrayOutputStream()));
      } catch (IOException closed) {
        log(closed);
      }
    }
  }

  private static void copy(SocketChannel from, SocketChannel to, ByteArrayOutputStream record) {
    try (from;
        to) {
      ByteBuffer piece = ByteBuffer.allocate(16 * 1024);
      while (from.read(piece) >= 0) {
        piece.flip();
        record.write(piece.array(), 0, piece.limit());
        while (piece.hasRemaining()) {
          to.write(piece);
        }
        piece.clear();
      }
    } catch (IOException closed) {
      log(closed);
    }
  }

  private static void log(IOException closed) {
    System.getLogger(RecordingEngine.class.getName())
        .log(System.Logger.Level.DEBUG, "A connection has ended", closed);
  }

  /** The bodies of the requests whose first line has some words. */
  List<String> bodies(String words) {
    return requests.stream()
        .map(bytes -> bytes.toString(StandardCharsets.UTF_8))
        .filter(text -> text.lines().findFirst().orElse("").contains(words))
        .map(text -> text.substring(text.indexOf("\r\n\r\n") + 4))
        .toList();
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
