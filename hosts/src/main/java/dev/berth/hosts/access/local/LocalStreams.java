package dev.berth.hosts.access.local;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.MachineStreams;
import dev.berth.spi.DuplexChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** Connections to what listens on this machine. */
final class LocalStreams implements MachineStreams {
  @Override
  public DuplexChannel tcp(String host, int port, Duration patience) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(new InetSocketAddress(host, port), (int) patience.toMillis());
      return new Socket(channel);
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  @Override
  public DuplexChannel unixSocket(MachinePath socket) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket.text()));
      return new Socket(channel);
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  private record Socket(SocketChannel channel) implements DuplexChannel {
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
