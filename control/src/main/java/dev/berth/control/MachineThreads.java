package dev.berth.control;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Lends each machine's link a virtual thread. */
final class MachineThreads implements MachineLinks.Driver {
  private static final System.Logger LOG = System.getLogger(MachineThreads.class.getName());

  private final InstantSource clock;
  private final Map<MachineLink, Thread> threads = new ConcurrentHashMap<>();

  MachineThreads(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void begin(MachineLink link) {
    MachineConnector.Machine machine = link.machine();
    Map<String, String> about = Map.of("backend", machine.backend(), "machine", machine.id());
    threads.put(
        link,
        Thread.ofVirtual()
            .name("berth-machine-" + machine.id())
            .start(() -> LogScope.run(about, () -> follow(link))));
  }

  private void follow(MachineLink link) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        link.await(clock.instant());
        step(link);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "A machine is not followed any more");
    } finally {
      link.close();
    }
  }

  private void step(MachineLink link) {
    try {
      link.step(clock.instant());
    } catch (RuntimeException | LinkageError e) {
      // The next look in a few seconds is the retry.
      LOG.log(System.Logger.Level.WARNING, "The jobs of a machine could not be looked at", e);
    }
  }

  /** Does not wait for a machine that does not answer: whoever calls has others to follow. */
  @Override
  public void end(MachineLink link) {
    Thread thread = threads.remove(link);
    if (thread == null) {
      link.close();
    } else {
      thread.interrupt();
    }
  }
}
