package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.control.MailboxFullException;
import dev.berth.decisions.Event;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Run;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Deletes the runs that a deleted project left, with their output, which nobody could reach any
 * more. What a server does not get to, the next one does at its start.
 */
final class LeftRuns implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LeftRuns.class.getName());
  private static final int AT_ONCE = 100;

  private final ControlPlane control;
  private final Store store;
  private final AccessStore access;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  LeftRuns(ControlPlane control, Store store, AccessStore access) {
    this.control = control;
    this.store = store;
    this.access = access;
  }

  /** Deletes in the background what all deleted projects left. */
  void start() {
    begin(() -> access.deletedProjects().forEach(project -> clear(project, Event.SERVER)));
  }

  /** Deletes in the background what a project left that was deleted just now. */
  void remove(String project, String actor) {
    begin(() -> clear(project, actor));
  }

  private void begin(Runnable work) {
    Thread thread =
        Thread.ofVirtual()
            .name("berth-left-runs")
            .unstarted(
                () -> {
                  try {
                    work.run();
                  } finally {
                    threads.remove(Thread.currentThread());
                  }
                });
    threads.add(thread);
    thread.start();
  }

  private void clear(String project, String actor) {
    try {
      List<Run> runs = store.someRuns(project, AT_ONCE);
      while (!runs.isEmpty() && !closing) {
        for (Run run : runs) {
          Message message = new Message.Delete(run, store.belongings(run), actor);
          Reply reply = control.send(Envelope.of(message)).get();
          if (!(reply instanceof Reply.Accepted)) {
            throw new IllegalStateException("the run " + run.id() + " was not deleted: " + reply);
          }
        }
        runs = store.someRuns(project, AT_ONCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      boolean busy = e.getCause() instanceof MailboxFullException;
      LOG.log(
          busy ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
          "The runs of the deleted project "
              + project
              + " are not all deleted; the next start goes on with them",
          e.getCause());
    } catch (RuntimeException e) {
      if (!closing) {
        LOG.log(
            System.Logger.Level.WARNING,
            "The runs of the deleted project " + project + " are not all deleted",
            e);
      }
    }
  }

  @Override
  public void close() {
    closing = true;
    threads.forEach(Thread::interrupt);
  }
}
