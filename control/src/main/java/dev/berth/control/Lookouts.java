package dev.berth.control;

import dev.berth.decisions.Message;
import dev.berth.decisions.View;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/** The lookouts of all backends, which follow what is active after each commit. */
final class Lookouts {
  private final Consumer<Message> report;

  /** By backend. Written by who adds and removes; read by any thread. */
  private final Map<String, Lookout> lookouts = new ConcurrentHashMap<>();

  /** Whether somebody must be told all that there is: a new lookout, or all after a reload. */
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
  Lookouts(Consumer<Message> report) {
    this.report = report;
  }

  void add(Lookout lookout) {
    lookouts.put(lookout.backend(), lookout);
    followAll.set(true);
  }

  void remove(String backend) {
    lookouts.remove(backend);
  }

  Optional<Lookout> find(String backend) {
    return Optional.ofNullable(lookouts.get(backend));
  }

  /** The backends of which nothing is swept, because the world is newer than the ledger. */
  List<String> unswept() {
    return sorted().stream()
        .filter(lookout -> lookout.account().filter(Account::isUnswept).isPresent())
        .map(Lookout::backend)
        .toList();
  }

  /** What the running jobs of all backends use, as far as it is known. */
  List<MeasuredJob> usage() {
    return sorted().stream()
        .flatMap(lookout -> lookout.usage().stream())
        .flatMap(usage -> usage.figures().stream())
        .toList();
  }

  private List<Lookout> sorted() {
    return lookouts.values().stream().sorted(Comparator.comparing(Lookout::backend)).toList();
  }

  /** Everything that has steps: first all that look at jobs, then at things, then the others. */
  List<Part> parts() {
    List<Lookout> all = sorted();
    List<Part> parts = new ArrayList<>();
    List<Function<Lookout, Optional<Part>>> kinds =
        List.of(
            Lookout::jobsPart,
            Lookout::accountPart,
            Lookout::inventoryPart,
            Lookout::acceleratorsPart);
    for (Function<Lookout, Optional<Part>> kind : kinds) {
      all.forEach(lookout -> kind.apply(lookout).ifPresent(parts::add));
    }
    return parts;
  }

  /** Tells of the machines that a backend showed. */
  void tellMachines(String backend) {
    find(backend).ifPresent(this::tellMachines);
  }

  private void tellMachines(Lookout lookout) {
    lookout.shown().forEach(report);
  }

  /** What was told may not have been heard: tells it all once more. */
  void forget() {
    lookouts.values().forEach(Lookout::forget);
    sorted().forEach(this::tellMachines);
  }

  /** All is followed anew after the next commit. */
  void loaded() {
    followAll.set(true);
  }

  /** Called by the thread that steps the loop, as is all that follows. */
  void written(Entity entity) {
    if (entity instanceof Resource resource) {
      lookouts.values().forEach(lookout -> lookout.follow(resource));
      thingsChanged |= resource.type() != Resource.Type.JOB;
    } else if (entity instanceof Attempt attempt) {
      attempts.add(attempt);
    }
  }

  void deleted(Entity entity) {
    if (entity instanceof Resource resource) {
      lookouts.values().forEach(lookout -> lookout.unfollow(resource));
      thingsChanged |= resource.type() != Resource.Type.JOB;
    }
  }

  /** Follows what has changed, or all where somebody knows nothing yet. */
  void committed(View view) {
    if (followAll.getAndSet(false)) {
      lookouts.values().forEach(lookout -> lookout.followJobs(view));
      attempts.clear();
      thingsChanged = true;
    }
    for (Attempt attempt : attempts) {
      lookouts.values().forEach(lookout -> lookout.follow(attempt, view));
    }
    attempts.clear();
    if (thingsChanged) {
      lookouts.values().forEach(lookout -> lookout.followThings(view));
      thingsChanged = false;
    }
  }
}
