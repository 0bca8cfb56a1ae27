package dev.berth.hosts.container;

import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.Engine;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Commands inside of containers, and connections to their ports. */
final class ContainerAccess {
  private static final int CONNECT_MILLIS = 10_000;

  /** A variable by which the processes of one command are found again. */
  private static final String MARK = "BERTH_EXECUTION";

  private final Engine engine;

  ContainerAccess(Engine engine) {
    this.engine = engine;
  }

  Execution exec(String attemptId, List<String> command, Map<String, String> environment) {
    String name = ContainerPaths.name(attemptId);
    String mark = UUID.randomUUID().toString();
    environment.put(MARK, mark);
    return engine.exec(name, command, environment, () -> end(name, mark));
  }

  private void end(String name, String mark) {
    String script =
        "for file in $(grep -lszxF '%s=%s' /proc/[0-9]*/environ); do pid=${file#/proc/}; kill -KILL ${pid%%/environ}; done"
            .formatted(MARK, mark);
    // Where that fails, the container has ended and the command with it, or there is no shell.
    ContainerRunners.runIn(engine, name, script);
  }

  /**
   * Connects to the container's own address, which the engine's machine reaches, or else to what is
   * published of it. Our own machine's address is the container's only where it shares the network:
   * elsewhere the same number leads to whatever the machine itself has there.
   */
  ByteChannel connect(String attemptId, int port) {
    ContainerFacts container =
        engine
            .find(ContainerPaths.name(attemptId))
            .orElseThrow(
                () ->
                    new BackendException.Gone(
                        "the attempt " + attemptId + " has no container", null));
    InetSocketAddress address = address(attemptId, container, port);
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.socket().connect(address, CONNECT_MILLIS);
      return channel;
    } catch (IOException failure) {
      close(channel, failure);
      throw new BackendException.Transient("nothing is listening on port " + port, failure);
    }
  }

  private static InetSocketAddress address(String attemptId, ContainerFacts container, int port) {
    if (!container.running()) {
      throw new BackendException.Gone("the attempt " + attemptId + " does not run", null);
    }
    if (container.networkMode().equals("host")) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
    if (!container.address().isEmpty()) {
      return new InetSocketAddress(container.address(), port);
    }
    Integer published = container.published().get(port);
    if (published == null) {
      throw new BackendException.Permanent(
          ("the container has no address in the network '%s', so its port %d cannot be reached;"
                  + " name the port in 'ports', or another 'network' in the backend's settings")
              .formatted(container.networkMode(), port),
          null);
    }
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), published);
  }

  private static void close(@Nullable SocketChannel channel, IOException failure) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException another) {
        failure.addSuppressed(another);
      }
    }
  }
}
