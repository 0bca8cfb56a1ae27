package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.decisions.View;
import dev.berth.model.Attempt;
import dev.berth.model.Endpoint;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The machines on which Berth runs jobs, each with a link of its own. Derived from the state, never
 * stored. Entities are followed by the thread that steps the loop; the rest is safe for any thread.
 */
final class MachineLinks implements AutoCloseable {
  private final MachineConnector connector;
  private final Map<String, Compute> backends;
  private final MachineLink.Sweeps sweeps;
  private final InstantSource clock;
  private final BiConsumer<String, Message> seen;

  /** Whether all have to be looked at: what is active was read anew, or a backend came or went. */
  private final AtomicBoolean all = new AtomicBoolean();

  /** By our key. Written by the loop's thread. */
  private final Map<String, MachineLink> links = new ConcurrentHashMap<>();

  /**
   * The machines that are not gone, with or without a link: one that is linked anew, or whose
   * backend is opened again, has none for a moment. Written by the loop's thread.
   */
  private final Set<String> active = ConcurrentHashMap.newKeySet();

  /** Whether those are known. Written by the loop's thread. */
  private volatile boolean known;

  /** Those that may have to be linked or let go. Only for the loop's thread. */
  private final Set<String> changed = new HashSet<>();

  private volatile Driver driver = Driver.NONE;

  /** Changes when a machine may have been connected, or may be gone. */
  private final StateSignal connections = new StateSignal();

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

    /** How long a call may wait for a link; not at all where the same thread steps the links. */
    default Duration patience() {
      return Duration.ZERO;
    }
  }

  /**
   * Links nothing yet.
   *
   * @param backends may change while this is used
   * @param sweeps makes who looks for jobs on a machine that nobody needs
   * @param seen hears of what is seen at a backend
   */
  MachineLinks(
      MachineConnector connector,
      Map<String, Compute> backends,
      MachineLink.Sweeps sweeps,
      InstantSource clock,
      BiConsumer<String, Message> seen) {
    this.connector = connector;
    this.backends = backends;
    this.sweeps = sweeps;
    this.clock = clock;
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
   * @throws BackendException.Transient while it cannot be reached, or nobody knows whether it is
   *     gone
   */
  Optional<JobRuntime> require(String machineId) {
    MachineLink link = links.get(machineId);
    if (link == null && known && !active.contains(machineId)) {
      return Optional.empty();
    }
    if (link == null) {
      throw new BackendException.Transient(
          "the machine cannot be reached now: Berth is about to connect to it", null);
    }
    return Optional.of(link.requireJobs());
  }

  /** Waits a while for a machine that is about to be connected; whoever calls it looks then. */
  void awaitConnection(String machineId) throws InterruptedException {
    connections.await(() -> !isAwaited(machineId), driver.patience());
  }

  private boolean isAwaited(String machineId) {
    MachineLink link = links.get(machineId);
    return link == null ? !known || active.contains(machineId) : !link.isConnected();
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
      } else if (resource.type() == ResourceType.INSTANCE) {
        changed.add(resource.id());
      }
    } else if (entity instanceof Attempt attempt) {
      String machine = attempt.instanceId();
      if (machine != null && links.containsKey(machine)) {
        changed.add(machine);
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
      changed.addAll(active);
      changed.addAll(links.keySet());
      view.active(Instance.class).forEach(this::written);
    }
    for (String id : List.copyOf(changed)) {
      if (active(view, id).isPresent()) {
        active.add(id);
      } else {
        active.remove(id);
      }
      Optional<MachineConnector.Machine> machine = machine(view, id);
      MachineLink link = links.get(id);
      if (link != null && !machine.equals(Optional.of(link.machine()))) {
        links.remove(id);
        driver.end(link);
        link = null;
      }
      if (link == null && machine.isPresent()) {
        link = link(view, machine.get());
      }
      if (link != null) {
        link.measure(attempts(view, id).toList(), view);
      }
    }
    changed.clear();
    known = true;
    connections.changed();
  }

  private static Optional<Instance> active(View view, String id) {
    return view.find(Instance.class, id).filter(Instance::active).filter(Instance::isEquippedByUs);
  }

  /** Those that have a part of a machine. */
  private static Stream<Attempt> attempts(View view, String machineId) {
    return view.find(Instance.class, machineId).stream()
        .flatMap(instance -> instance.allocations().keySet().stream())
        .flatMap(attempt -> view.find(Attempt.class, attempt).stream());
  }

  private MachineLink link(View view, MachineConnector.Machine machine) {
    Consumer<Message> told = message -> seen.accept(machine.backend(), message);
    MachineLink link =
        new MachineLink(
            machine, connector, sweeps, clock, told.andThen(_ -> connections.changed()));
    attempts(view, machine.id())
        .flatMap(attempt -> view.find(Resource.class, attempt.id()).stream())
        .filter(resource -> machine.id().equals(resource.machineId()))
        .forEach(link::follow);
    links.put(machine.id(), link);
    driver.begin(link);
    return link;
  }

  /** A machine that can be connected to, once its provider has started it. */
  private Optional<MachineConnector.Machine> machine(View view, String id) {
    Instance instance = active(view, id).orElse(null);
    Resource.Ref ref =
        view.find(Resource.class, id).filter(Resource::active).map(Resource::ref).orElse(null);
    Compute compute = instance == null ? null : backends.get(instance.backend());
    Endpoint endpoint =
        instance == null ? null : instance.bought().map(Purchase::endpoint).orElse(null);
    return instance == null || ref == null || compute == null || endpoint == null
        ? Optional.empty()
        : Optional.of(
            new MachineConnector.Machine(
                instance.backend(),
                compute,
                id,
                ActionCalls.ref(ResourceType.INSTANCE, id, ref),
                endpoint));
  }

  /** What running jobs use, as far as it is known. Safe for any thread; never waits. */
  List<MeasuredJob> usage() {
    return inOrder().stream().flatMap(link -> link.usage().figures().stream()).toList();
  }

  /** The parts of all machines, each of which takes those that are due. */
  List<ControlStep> parts() {
    return List.of(
        part("machines", MachineLink::next, link -> link.step(clock.instant())),
        part(
            "accelerators of machines",
            (link, now) -> link.accelerators().next(now),
            link -> link.accelerators().step()));
  }

  private ControlStep part(
      String name,
      BiFunction<MachineLink, Instant, Optional<Instant>> next,
      Consumer<MachineLink> step) {
    return new ControlStep(
        name,
        now ->
            links.values().stream()
                .flatMap(link -> next.apply(link, now).stream())
                .min(Comparator.naturalOrder()),
        () -> {
          Instant now = clock.instant();
          for (MachineLink link : inOrder()) {
            if (next.apply(link, now).filter(at -> !at.isAfter(now)).isPresent()) {
              step.accept(link);
            }
          }
        });
  }

  private List<MachineLink> inOrder() {
    return List.copyOf(new TreeMap<>(links).values());
  }

  @Override
  public void close() {
    links.values().forEach(driver::end);
    links.clear();
  }
}
