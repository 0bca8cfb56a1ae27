package dev.berth.backends.sim;

import java.util.function.Function;

/**
 * Where the world of a simulated cloud is kept. One body at a time has it, in all processes that
 * share it, and what the body changed is kept for good before this returns.
 */
interface CloudState {
  /**
   * Lends the world.
   *
   * @param body must not throw: what it began would be kept in part
   * @throws dev.berth.spi.BackendException.Transient where the world cannot be read or kept
   */
  <T> T with(Function<World, T> body);

  /** Whether somebody else may change the world, without anybody being told. */
  boolean isShared();
}
