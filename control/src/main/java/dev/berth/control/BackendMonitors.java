package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.decisions.View;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/** The monitors of all backends, which follow what is active after each commit. */
final class BackendMonitors {
  private final Consumer<Message> report;

  /** By backend. Written by who adds and removes; read by any thread. */
  private final Map<String, BackendMonitor> monitors = new ConcurrentHashMap<>();

  /** Whether somebody must be told all that there is: a new monitor, or all after a reload. */
  private final AtomicBoolean followAll = new AtomicBoolean();

  /**
   * The attempts that have changed since they were followed. Only the thread that steps the loop
   * touches it.
   */
  private final List<Attempt> attempts = new ArrayList<>();

  /** Whether what is no job has changed since it was followed. As the attempts. */
  private boolean thingsChanged;

  /**
   * Nobody looks out yet.
   *
   * @param report hears of the machines that backends showed
   */
  BackendMonitors(Consumer<Message> report) {
    this.report = report;
  }

  void add(BackendMonitor monitor) {
    monitors.put(monitor.backend(), monitor);
    followAll.set(true);
  }

  void remove(String backend) {
    monitors.remove(backend);
  }

  Optional<BackendMonitor> find(String backend) {
    return Optional.ofNullable(monitors.get(backend));
  }

  /** The backends of which nothing is swept, because the world is newer than the ledger. */
  List<String> unswept() {
    return sorted().stream()
        .filter(monitor -> monitor.account().filter(BackendResources::isUnswept).isPresent())
        .map(BackendMonitor::backend)
        .toList();
  }

  /** What the running jobs of all backends use, as far as it is known. */
  List<MeasuredJob> usage() {
    return sorted().stream()
        .flatMap(monitor -> monitor.usage().stream())
        .flatMap(usage -> usage.figures().stream())
        .toList();
  }

  private List<BackendMonitor> sorted() {
    return monitors.values().stream()
        .sorted(Comparator.comparing(BackendMonitor::backend))
        .toList();
  }

  /** Everything that has steps: first all that look at jobs, then at things, then the others. */
  List<ControlStep> parts() {
    List<BackendMonitor> all = sorted();
    List<ControlStep> parts = new ArrayList<>();
    List<Function<BackendMonitor, Optional<ControlStep>>> kinds =
        List.of(
            BackendMonitor::jobsPart,
            BackendMonitor::accountPart,
            BackendMonitor::inventoryPart,
            BackendMonitor::acceleratorsPart);
    for (Function<BackendMonitor, Optional<ControlStep>> kind : kinds) {
      all.forEach(monitor -> kind.apply(monitor).ifPresent(parts::add));
    }
    return parts;
  }

  /** Tells of the machines that a backend showed. */
  void tellMachines(String backend) {
    find(backend).ifPresent(this::tellMachines);
  }

  private void tellMachines(BackendMonitor monitor) {
    monitor.shown().forEach(report);
  }

  /** What was told may not have been heard: tells it all once more. */
  void forget() {
    monitors.values().forEach(BackendMonitor::forget);
    sorted().forEach(this::tellMachines);
  }

  /** All is followed anew after the next commit. */
  void loaded() {
    followAll.set(true);
  }

  /** Called by the thread that steps the loop, as is all that follows. */
  void written(Entity entity) {
    if (entity instanceof Resource resource) {
      monitors.values().forEach(monitor -> monitor.follow(resource));
      thingsChanged |= resource.type() != ResourceType.JOB;
    } else if (entity instanceof Attempt attempt) {
      attempts.add(attempt);
    }
  }

  void deleted(Entity entity) {
    if (entity instanceof Resource resource) {
      monitors.values().forEach(monitor -> monitor.unfollow(resource));
      thingsChanged |= resource.type() != ResourceType.JOB;
    }
  }

  /** Follows what has changed, or all where somebody knows nothing yet. */
  void committed(View view) {
    if (followAll.getAndSet(false)) {
      monitors.values().forEach(monitor -> monitor.followJobs(view));
      attempts.clear();
      thingsChanged = true;
    }
    for (Attempt attempt : attempts) {
      monitors.values().forEach(monitor -> monitor.follow(attempt, view));
    }
    attempts.clear();
    if (thingsChanged) {
      monitors.values().forEach(monitor -> monitor.followThings(view));
      thingsChanged = false;
    }
  }
}
