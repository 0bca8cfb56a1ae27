package dev.berth.hosts.docker;

import dev.berth.spi.DuplexChannel;
import java.io.IOException;

/**
 * Where an engine listens. Each request opens a channel of its own, so that none waits behind
 * another.
 */
@FunctionalInterface
public interface EngineAddress {
  DuplexChannel open() throws IOException;
}
