package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.decisions.View;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The machines on which Berth runs jobs, each with a link of its own. Derived from the state, never
 * stored. Entities are followed by the thread that steps the loop; the rest is safe for any thread.
 */
final class MachineLinks implements AutoCloseable {
  private final MachineConnector connector;
  private final Map<String, Compute> backends;
  private final BiConsumer<String, Message> seen;

  /** Whether all have to be looked at: what is active was read anew, or a backend came or went. */
  private final AtomicBoolean all = new AtomicBoolean();

  /** By our key. Written by the loop's thread. */
  private final Map<String, MachineLink> links = new ConcurrentHashMap<>();

  /** Those that may have to be linked or let go. Only for the loop's thread. */
  private final Set<String> changed = new HashSet<>();

  private volatile Driver driver = Driver.NONE;

  /** Lends links the threads that step them. */
  interface Driver {
    Driver NONE =
        new Driver() {
          @Override
          public void begin(MachineLink link) {}

          @Override
          public void end(MachineLink link) {
            link.close();
          }
        };

    void begin(MachineLink link);

    /** Ends the steps of a link, and closes it. */
    void end(MachineLink link);
  }

  /**
   * Links nothing yet.
   *
   * @param backends may change while this is used
   * @param seen hears of what is seen at a backend
   */
  MachineLinks(
      MachineConnector connector, Map<String, Compute> backends, BiConsumer<String, Message> seen) {
    this.connector = connector;
    this.backends = backends;
    this.seen = seen;
  }

  /** From now on another one steps the links, those that are there and those to come. */
  void driveBy(Driver newDriver) {
    driver = newDriver;
    links.values().forEach(newDriver::begin);
  }

  /** Who runs the jobs of a machine. */
  Optional<JobRuntime> runtime(String machineId) {
    return Optional.ofNullable(links.get(machineId)).flatMap(MachineLink::runtime);
  }

  /**
   * Who runs the jobs of a machine; empty if the machine is gone, and all that ran there with it.
   *
   * @throws BackendException.Transient while it cannot be reached
   */
  Optional<JobRuntime> require(String machineId) {
    MachineLink link = links.get(machineId);
    if (link == null) {
      return Optional.empty();
    }
    return Optional.of(
        link.runtime()
            .orElseThrow(
                () ->
                    new BackendException.Transient(
                        "the machine cannot be reached now: " + link.trouble(), null)));
  }

  void signal(String machineId, String attemptId) {
    MachineLink link = links.get(machineId);
    if (link != null) {
      link.signal(attemptId);
    }
  }

  /** What was told may not have been heard: tells it all once more. */
  void forget() {
    links.values().forEach(MachineLink::forget);
  }

  /** All are looked at after the next commit. Safe for any thread. */
  void lookAtAll() {
    all.set(true);
  }

  void written(Entity entity) {
    if (entity instanceof Instance instance && instance.isEquippedByUs()) {
      changed.add(instance.id());
    } else if (entity instanceof Resource resource) {
      if (resource.machineId() != null) {
        follow(resource);
      } else if (resource.type() == Resource.Type.INSTANCE) {
        changed.add(resource.id());
      }
    }
  }

  void deleted(Entity entity) {
    if (entity instanceof Instance instance) {
      changed.add(instance.id());
    }
  }

  private void follow(Resource job) {
    MachineLink link = links.get(String.valueOf(job.machineId()));
    if (link != null) {
      link.follow(job);
    }
  }

  /** Links machines that have come, and lets go of those that are gone. */
  void committed(View view) {
    if (all.getAndSet(false)) {
      changed.addAll(links.keySet());
      view.active(Instance.class).forEach(this::written);
    }
    for (String id : List.copyOf(changed)) {
      Optional<MachineConnector.Machine> machine = machine(view, id);
      MachineLink link = links.get(id);
      if (link != null && !machine.equals(Optional.of(link.machine()))) {
        links.remove(id);
        driver.end(link);
        link = null;
      }
      if (link == null && machine.isPresent()) {
        link(view, machine.get());
      }
    }
    changed.clear();
  }

  private void link(View view, MachineConnector.Machine machine) {
    MachineLink link =
        new MachineLink(machine, connector, message -> seen.accept(machine.backend(), message));
    view.find(Instance.class, machine.id()).stream()
        .flatMap(instance -> instance.allocations().keySet().stream())
        .flatMap(attempt -> view.find(Resource.class, attempt).stream())
        .filter(resource -> machine.id().equals(resource.machineId()))
        .forEach(link::follow);
    links.put(machine.id(), link);
    driver.begin(link);
  }

  /** A machine that can be connected to, once its provider has started it. */
  private Optional<MachineConnector.Machine> machine(View view, String id) {
    Instance instance =
        view.find(Instance.class, id)
            .filter(Instance::active)
            .filter(Instance::isEquippedByUs)
            .orElse(null);
    Resource.Ref ref =
        view.find(Resource.class, id).filter(Resource::active).map(Resource::ref).orElse(null);
    Compute compute = instance == null ? null : backends.get(instance.backend());
    String address =
        instance == null ? null : instance.bought().map(Purchase::address).orElse(null);
    return instance == null || ref == null || compute == null || address == null
        ? Optional.empty()
        : Optional.of(
            new MachineConnector.Machine(
                instance.backend(),
                compute,
                id,
                ActionCalls.ref(Resource.Type.INSTANCE, id, ref),
                address));
  }

  /** One part for all machines, which takes the one that is due first. */
  Part part(InstantSource clock) {
    return new Part("machines", this::next, () -> step(clock.instant()));
  }

  private Optional<Instant> next(Instant now) {
    return links.values().stream()
        .flatMap(link -> link.next(now).stream())
        .min(Comparator.naturalOrder());
  }

  private void step(Instant now) {
    List<MachineLink> inOrder = new ArrayList<>(new TreeMap<>(links).values());
    for (MachineLink link : inOrder) {
      if (link.next(now).filter(at -> !at.isAfter(now)).isPresent()) {
        link.step(now);
      }
    }
  }

  @Override
  public void close() {
    links.values().forEach(driver::end);
    links.clear();
  }
}
