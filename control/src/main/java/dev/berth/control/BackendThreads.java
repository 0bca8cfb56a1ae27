package dev.berth.control;

import dev.berth.control.accounts.Inventory;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is looked at of one backend, with the threads that step it. */
final class BackendThreads {
  private static final System.Logger LOG = System.getLogger(BackendThreads.class.getName());

  private final BackendMonitor monitor;
  private final InstantSource clock;
  private final List<Thread> threads = new ArrayList<>();

  /** Written by the thread that watches jobs; closed when that has ended. */
  private volatile @Nullable AutoCloseable ring;

  private volatile boolean ending;

  BackendThreads(BackendMonitor monitor, InstantSource clock) {
    this.monitor = monitor;
    this.clock = clock;
    String backend = monitor.backend();
    monitor.jobs().ifPresent(jobs -> threads.add(thread("watch-" + backend, () -> watch(jobs))));
    monitor
        .account()
        .ifPresent(account -> threads.add(thread("account-" + backend, () -> watch(account))));
    monitor
        .inventory()
        .ifPresent(
            inventory -> threads.add(thread("inventory-" + backend, () -> watch(inventory))));
    monitor
        .accelerators()
        .ifPresent(gpus -> threads.add(thread("accelerators-" + backend, () -> watch(gpus))));
    monitor.usage().ifPresent(usage -> threads.add(thread("usage-" + backend, () -> watch(usage))));
  }

  private Thread thread(String name, Runnable work) {
    Map<String, String> about = Map.of("backend", monitor.backend());
    return Thread.ofPlatform()
        .name("berth-" + name)
        .daemon()
        .unstarted(() -> LogScope.run(about, work));
  }

  /** Called once. */
  void start() {
    threads.forEach(Thread::start);
  }

  private void watch(JobWatches jobs) {
    try {
      while (!ending) {
        openRing(jobs);
        jobs.awaitNext(clock.instant());
        monitor.step(jobs);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "A watch ends");
    }
  }

  /** Looks go on without it, so a backend that does not answer now is asked again after each. */
  private void openRing(JobWatches jobs) {
    if (ring != null) {
      return;
    }
    try {
      ring = jobs.open();
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Changes of jobs are seen late, because nobody can tell of them: " + e.getMessage());
    }
  }

  private void watch(BackendResources account) {
    try {
      while (!ending) {
        account.await(clock.instant());
        account.step(clock.instant());
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "An account is not looked at any more");
    }
  }

  private void watch(Inventory inventory) {
    try {
      while (!ending) {
        inventory.await(clock.instant());
        monitor.step(inventory);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "Machines are not read any more");
    }
  }

  private void watch(GpuWatch gpus) {
    try {
      while (!ending) {
        gpus.await();
        monitor.step(gpus);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "Accelerators are not looked at any more");
    }
  }

  private void watch(UsageWatch usage) {
    try {
      while (!ending) {
        usage.await();
        monitor.step(usage);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "What jobs use is not looked at any more");
    }
  }

  /** Ends the threads, and waits for them. */
  void end() {
    ending = true;
    threads.forEach(Thread::interrupt);
    threads.forEach(BackendThreads::await);
    AutoCloseable open = ring;
    try {
      if (open != null) {
        open.close();
      }
    } catch (Exception e) {
      LOG.log(System.Logger.Level.WARNING, "A watch could not be closed", e);
    }
  }

  static void await(Thread thread) {
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
