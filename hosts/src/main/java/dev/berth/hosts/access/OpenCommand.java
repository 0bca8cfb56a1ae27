package dev.berth.hosts.access;

import dev.berth.spi.Execution;

/** A command whose input and output are ours. */
public interface OpenCommand extends Execution {
  boolean isRunning();
}
