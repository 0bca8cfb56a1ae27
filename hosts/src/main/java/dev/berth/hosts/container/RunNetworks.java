package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.docker.EngineNetworks;
import dev.berth.hosts.docker.EngineNetworks.Network;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.model.Container;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The networks of runs: one for all containers of a run, made for the first of them and removed
 * with the last. A network is needed as long as a job directory names it, which is there before its
 * container and goes after it, so that none is taken from a container that is being made. What a
 * killed server left is removed by the next one. Only networks with our marks are touched.
 */
final class RunNetworks {
  /** What an administrator writes who wants them. */
  static final String SETTING = "per-run";

  private static final String PREFIX = "berth-run-";

  private final DockerHost host;
  private final EngineNetworks networks;
  private final JobStore store;

  /** Held while it is looked whether a network is needed, until that was made true. */
  private final ReentrantLock lock = new ReentrantLock();

  RunNetworks(DockerHost host, JobStore store) {
    this.host = host;
    this.networks = host.engine().networks();
    this.store = store;
  }

  /** The network of a job: what the administrator says, or that of its run. */
  static String nameFor(DockerHost host, Container container, String attemptId) {
    String setting = host.defaults().network();
    if (!setting.equals(SETTING)) {
      return setting;
    }
    // Several backends may use one engine, each with containers of the same run.
    return PREFIX
        + Objects.requireNonNullElse(container.run(), attemptId)
        + "-"
        + host.backend().replaceAll("[^A-Za-z0-9_.-]", "-");
  }

  static boolean isOfARun(String name) {
    return name.startsWith(PREFIX);
  }

  /** Makes a network where it is that of a run and missing. Idempotent. */
  void ensure(String name) {
    if (!isOfARun(name)) {
      return;
    }
    lock.lock();
    try {
      if (networks.find(name).isEmpty()) {
        create(name);
      }
      if (networks.find(name).filter(this::isOurs).isEmpty()) {
        throw new HostException(
            HostException.Code.INVALID,
            "the engine has a network %s that somebody else made; remove it there".formatted(name));
      }
    } finally {
      lock.unlock();
    }
  }

  private void create(String name) {
    try {
      networks.create(name, DockerLabels.of(host, name));
    } catch (EngineException failure) {
      String words = failure.words().toLowerCase(Locale.ROOT);
      if (words.contains("address pool") || words.contains("subnet")) {
        throw new HostException(
            HostException.Code.INVALID,
            "the engine has no addresses left for a network of the run; let other runs end, or give"
                + " the engine more in its 'default-address-pools' ("
                + failure.words()
                + ")",
            failure);
      }
      if (failure.isSilence() || networks.find(name).isEmpty()) {
        throw failure;
      }
    }
  }

  /** Removes the network of a job whose container is gone, where it was the last one. */
  void release(String attemptId) {
    JobDirectory directory = store.directory(attemptId);
    if (!directory.exists() || textOf(attemptId).contains('"' + PREFIX)) {
      sweep(attemptId);
    }
  }

  /** Removes those of ours that no job needs any more. */
  void sweep() {
    sweep("");
  }

  private void sweep(String going) {
    lock.lock();
    try {
      for (Network network : networks.list(DockerLabels.BACKEND, DockerLabels.mark(host))) {
        if (isOurs(network) && !isNeeded(network.name(), going)) {
          remove(network);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** One that a container uses stays, and is removed with it or at the next look. */
  private void remove(Network network) {
    if (!networks.remove(network.id())) {
      System.getLogger(RunNetworks.class.getName())
          .log(System.Logger.Level.DEBUG, "The network {0} is in use", network.name());
    }
  }

  private boolean isOurs(Network network) {
    return isOfARun(network.name())
        && DockerLabels.mark(host).equals(network.labels().get(DockerLabels.BACKEND));
  }

  /** Whether a job has it, besides one that goes. */
  private boolean isNeeded(String name, String going) {
    return store.attempts().stream()
        .filter(attemptId -> !attemptId.equals(going))
        .anyMatch(attemptId -> textOf(attemptId).contains('"' + name + '"'));
  }

  /** Not read as what it is, so that one that nobody can read keeps no other from its end. */
  private String textOf(String attemptId) {
    return store.directory(attemptId).text(JobDirectory.CONTAINER).orElse("");
  }
}
