package dev.berth.hosts.docker;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** An engine of this machine, behind its socket file. */
public record UnixEngine(Path socket) implements EngineAddress {
  @Override
  public EngineChannel open() throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
    return new Socket(channel);
  }

  /** As the engine's own tools write it, for messages. */
  @Override
  public String toString() {
    return "unix://" + socket;
  }

  private record Socket(SocketChannel channel) implements EngineChannel {
    @Override
    public void shutdownOutput() throws IOException {
      channel.shutdownOutput();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return channel.read(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      return channel.write(source);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
