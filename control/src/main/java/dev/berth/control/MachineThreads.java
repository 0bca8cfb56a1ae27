package dev.berth.control;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Lends each machine's link a few virtual threads. */
final class MachineThreads implements MachineLinks.Driver {
  private static final System.Logger LOG = System.getLogger(MachineThreads.class.getName());

  /** Most machines are connected at once; one that is not may take longer than a call can wait. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InstantSource clock;
  private final Map<MachineLink, List<Thread>> threads = new ConcurrentHashMap<>();

  MachineThreads(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void begin(MachineLink link) {
    UsageWatch usage = link.usage();
    GpuWatch gpus = link.accelerators();
    threads.put(
        link,
        List.of(
            start("machine", link, () -> follow(link)),
            start("usage", link, () -> measure(usage::await, usage::step)),
            start("accelerators", link, () -> measure(gpus::await, gpus::step))));
  }

  private static Thread start(String what, MachineLink link, Runnable work) {
    MachineConnector.Machine machine = link.machine();
    Map<String, String> about = Map.of("backend", machine.backend(), "machine", machine.id());
    return Thread.ofVirtual()
        .name("berth-" + what + "-" + machine.id())
        .start(() -> LogScope.run(about, work));
  }

  /** Waits for something to measure. */
  private interface Waiting {
    void await() throws InterruptedException;
  }

  private static void measure(Waiting waiting, Runnable step) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        waiting.await();
        try {
          step.run();
        } catch (RuntimeException | LinkageError e) {
          // The next look in a few seconds is the retry.
          LOG.log(System.Logger.Level.WARNING, "The jobs of a machine could not be measured", e);
        }
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "The jobs of a machine are not measured any more");
    }
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

  @Override
  public Duration patience() {
    return PATIENCE;
  }

  /** Does not wait for a machine that does not answer: whoever calls has others to follow. */
  @Override
  public void end(MachineLink link) {
    List<Thread> lent = threads.remove(link);
    if (lent == null) {
      link.close();
    } else {
      lent.forEach(Thread::interrupt);
    }
  }
}
