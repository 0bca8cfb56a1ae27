package dev.berth.hosts.container;

import dev.berth.hosts.access.MachineStreams;
import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.hosts.docker.Engine;
import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Commands inside of containers, and connections to their ports. */
final class ContainerAccess {
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
  private static final String LOOPBACK = "127.0.0.1";

  /** A variable by which the processes of one command are found again. */
  private static final String MARK = "BERTH_EXECUTION";

  private final Engine engine;
  private final MachineStreams streams;

  ContainerAccess(Engine engine, MachineStreams streams) {
    this.engine = engine;
    this.streams = streams;
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
   * published of it. The machine's own address is the container's only where it shares the network:
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
    Address address = address(attemptId, container, port);
    try {
      return streams.tcp(address.host(), address.port(), CONNECT_PATIENCE);
    } catch (IOException failure) {
      throw new BackendException.Transient("nothing is listening on port " + port, failure);
    }
  }

  /** As the engine's machine knows it. */
  private record Address(String host, int port) {}

  private static Address address(String attemptId, ContainerFacts container, int port) {
    if (!container.running()) {
      throw new BackendException.Gone("the attempt " + attemptId + " does not run", null);
    }
    if (container.networkMode().equals("host")) {
      return new Address(LOOPBACK, port);
    }
    if (!container.address().isEmpty()) {
      return new Address(container.address(), port);
    }
    Integer published = container.published().get(port);
    if (published == null) {
      throw new BackendException.Permanent(
          ("the container has no address in the network '%s', so its port %d cannot be reached;"
                  + " name the port in 'ports', or another 'network' in the backend's settings")
              .formatted(container.networkMode(), port),
          null);
    }
    return new Address(LOOPBACK, published);
  }
}
