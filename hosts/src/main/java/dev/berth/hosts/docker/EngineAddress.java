package dev.berth.hosts.docker;

import java.io.IOException;

/**
 * Where an engine listens. Each request opens a channel of its own, so that none waits behind
 * another.
 */
@FunctionalInterface
public interface EngineAddress {
  EngineChannel open() throws IOException;
}
