package dev.berth.simulation;

import dev.berth.control.MachineConnector;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Rules;
import dev.berth.ledger.Commit;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import dev.berth.model.Boot;
import dev.berth.model.Candidate;
import dev.berth.model.MachineFacts;
import dev.berth.simulation.invariants.Invariant;
import dev.berth.simulation.plan.CloudPlan;
import dev.berth.simulation.plan.Plan;
import dev.berth.simulation.plan.Trouble;
import dev.berth.simulation.providers.Cloud;
import dev.berth.simulation.providers.Host;
import dev.berth.simulation.providers.Provider;
import dev.berth.spi.BootWay;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** All that there is in one simulated life, and what is known about it. */
public final class World {
  private static final List<String> SSH_KEYS = List.of("ssh-ed25519 simulated");

  private final Plan plan;
  private final Variant variant;
  private final List<Invariant> invariants;
  private final VirtualClock clock = new VirtualClock();
  private final Timeline timeline = new Timeline();
  private final Trace trace = new Trace();
  private final Records records = new Records();
  private final Map<String, Provider> providers = new LinkedHashMap<>();

  /** What was seen at each provider since the last step. */
  private final Map<String, List<Provider.Held>> held = new HashMap<>();

  private final Map<String, Set<String>> refused = new HashMap<>();

  /** The backends that the next server will open. */
  private final Set<String> configured = new TreeSet<>();

  private final Network network;
  private final LateStarts lateStarts;
  private final Ledger ledger;
  private final Servers servers = new Servers(this);
  private final Users users;
  private String owner = "";
  private long epoch;
  private long step;
  private @Nullable Violation found;

  World(Plan plan, Variant variant, Ledger storage, List<Invariant> invariants) {
    this.plan = plan;
    this.variant = variant;
    this.invariants = List.copyOf(invariants);
    this.network = new Network(plan);
    this.lateStarts = new LateStarts(this);
    for (CloudPlan cloud : plan.clouds()) {
      providers.put(cloud.name(), new Cloud(cloud, clock));
    }
    providers.put(
        plan.host().name(),
        new Host(
            plan.host(),
            clock,
            plan.troubles().stream()
                .filter(Trouble.HostAway.class::isInstance)
                .map(Trouble.HostAway.class::cast)
                .toList()));
    configured.addAll(providers.keySet());
    this.ledger = variant.ledger().apply(this, new TroubledLedger(storage, this));
    this.users = new Users(this);
  }

  public Plan plan() {
    return plan;
  }

  Variant variant() {
    return variant;
  }

  Rules rules() {
    return new WatchedRules(variant.rules(), this::report);
  }

  public Instant now() {
    return clock.instant();
  }

  /** How long the life has lasted. */
  public Duration age() {
    return Duration.between(VirtualClock.BEGINNING, now());
  }

  InstantSource clock() {
    return clock;
  }

  void advance(Instant time) {
    clock.set(time);
  }

  Timeline timeline() {
    return timeline;
  }

  Trace trace() {
    return trace;
  }

  /** What the ledger holds. */
  public Records records() {
    return records;
  }

  Network network() {
    return network;
  }

  LateStarts lateStarts() {
    return lateStarts;
  }

  Ledger ledger() {
    return ledger;
  }

  Servers servers() {
    return servers;
  }

  /** Whether a server is there that may write. */
  public boolean isServed() {
    return servers.inOffice().isPresent();
  }

  Users users() {
    return users;
  }

  public Collection<Provider> providers() {
    return Collections.unmodifiableCollection(providers.values());
  }

  /** What a provider has since the last step. Looked at once, because many want to know. */
  public List<Provider.Held> held(Provider provider) {
    return held.computeIfAbsent(provider.name(), _ -> provider.held());
  }

  /** What a provider refused late until the last step. */
  public Set<String> refused(Provider provider) {
    return refused.computeIfAbsent(provider.name(), _ -> provider.refused());
  }

  /** A step is over, so that everything may be different. */
  void lookAgain() {
    held.clear();
    refused.clear();
  }

  public Provider provider(String name) {
    return Objects.requireNonNull(providers.get(name), name);
  }

  /** The backends that are there for servers. */
  public Set<String> configured() {
    return configured;
  }

  Map<String, Compute> configuredBackends() {
    Map<String, Compute> open = new LinkedHashMap<>();
    configured.forEach(name -> open.put(name, compute(name)));
    return open;
  }

  /** How servers see a provider. */
  Compute compute(String name) {
    return variant.backends().apply(provider(name).compute());
  }

  /** Connects to the machines of clouds that run no jobs themselves. */
  MachineConnector connector() {
    return new MachineConnector() {
      @Override
      public Optional<Equipment> equipmentOn(Compute backend) {
        return Optional.of(new Equipment(Candidate.Execution.PROCESSES, World::boot));
      }

      @Override
      public Connection connect(Machine machine) {
        JobRuntime jobs = ((Cloud) provider(machine.backend())).jobsOn(machine.ref().id());
        // Fails where the machine does not answer.
        jobs.list(Cloud.OWNER);
        return new SimulatedConnection(jobs);
      }
    };
  }

  /** What machines of clouds do first on which Berth runs the jobs. */
  private static Boot boot(BootWay way) {
    return switch (way) {
      case BootWay.CloudInit _, BootWay.Script _ -> new Boot("#!/bin/sh\n", SSH_KEYS);
      case BootWay.OverSsh _ -> new Boot("", SSH_KEYS);
    };
  }

  /** A connection without anything to close. */
  private record SimulatedConnection(JobRuntime jobs) implements MachineConnector.Connection {
    @Override
    public MachineFacts facts() {
      return MachineFacts.AS_OFFERED;
    }

    @Override
    public void close() {}
  }

  String typeOf(String backend) {
    return provider(backend).type();
  }

  List<Invariant> invariants() {
    return invariants;
  }

  long step() {
    return step;
  }

  long nextStep() {
    return ++step;
  }

  /** Plans something; it does not happen where {@code still} is false by then. */
  void happens(Duration in, String name, BooleanSupplier still, Runnable what) {
    timeline.add(now().plus(in), name, still, what);
  }

  /** Writes a line into the trace. */
  void note(String what) {
    trace.add(step, age(), what);
  }

  /** Somebody took the realm over. */
  void takenOver(Tenure tenure) {
    owner = tenure.owner();
    epoch = tenure.epoch();
    note("  epoch " + epoch + " is " + owner + "'s");
  }

  /** Who may write. */
  String owner() {
    return owner;
  }

  public long epoch() {
    return epoch;
  }

  /** A commit was kept, whatever its server learns of it. */
  void committed(Tenure tenure, Commit commit) {
    note(
        "  commit of %d rows, %d actions: %s"
            .formatted(
                commit.puts().size(),
                commit.actions().size(),
                commit.events().stream()
                    .map(event -> event.kind() + " " + event.entity().id())
                    .toList()));
    invariants.forEach(invariant -> invariant.committed(this, tenure, commit));
    records.apply(commit);
  }

  /** A server answered a user, whether the answer arrives or not. */
  void answered(String request, Reply reply) {
    note("  answer to " + request + ": " + reply);
    invariants.forEach(invariant -> invariant.answered(this, request, reply));
  }

  /**
   * Something is wrong. Kept until the end of the step, because who notices it may be in the middle
   * of code that catches what is thrown.
   */
  public void report(Violation violation) {
    if (found == null) {
      found = violation;
    }
  }

  /** Throws what was found in this step. */
  void throwFound() {
    if (found != null) {
      throw found;
    }
  }
}
