package dev.berth.backends.sim;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** A world that ends with the process. */
final class MemoryState implements CloudState {
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final World world;

  MemoryState(World world) {
    this.world = world;
  }

  @Override
  public <T> T with(Function<World, T> body) {
    lock.lock();
    try {
      T answer = body.apply(world);
      world.forgetChange();
      return answer;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isShared() {
    return false;
  }
}
