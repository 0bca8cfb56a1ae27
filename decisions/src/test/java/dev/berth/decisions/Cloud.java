package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Candidate;
import dev.berth.model.Endpoint;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.PlacementGroupRequest;
import dev.berth.model.Refusal;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A provider that does at once what it is asked for, except for what is sold out. */
final class Cloud {
  /** How long after a lost answer it is looked for what was asked. */
  static final Duration VISIBLE = Duration.ofMinutes(3);

  private final Scenario scenario;
  private final Set<String> soldOut = new HashSet<>();

  /** What is there, with the key that it carries, by the provider's own id. */
  final Map<String, String> machines = new LinkedHashMap<>();

  /** The placement groups that are there, with the key that each carries. */
  final Map<String, String> groups = new LinkedHashMap<>();

  /** The group of each machine that has one, by the provider's ids. */
  final Map<String, String> grouped = new LinkedHashMap<>();

  /** Whether groups are ready as soon as they are made. */
  boolean readyGroups = true;

  /** Whether it says which addresses machines have in its own network. */
  boolean hasPrivateAddresses;

  /** The offers that it was asked for, in their order. */
  final List<String> asked = new ArrayList<>();

  private int made;

  Cloud(Scenario scenario) {
    this.scenario = scenario;
  }

  static Scenario selling(Candidate... offers) {
    Scenario scenario = new Scenario();
    scenario.market = Offers.market(offers);
    return scenario;
  }

  /** Nothing of a type, or in a region, can be had from now on. */
  Cloud soldOut(String... words) {
    soldOut.addAll(List.of(words));
    return this;
  }

  Cloud soldAgain() {
    soldOut.clear();
    return this;
  }

  /** Carries out everything, what is asked meanwhile as well. */
  void answer() {
    List<Action> flying = flying();
    while (!flying.isEmpty()) {
      flying.forEach(this::carryOut);
      flying = flying();
    }
  }

  private List<Action> flying() {
    return scenario
        .memory
        .unfinishedActions()
        .filter(action -> action.state() == Action.State.IN_FLIGHT)
        .toList();
  }

  /** Lets every machine that was made become ready. */
  void boot() {
    for (Instance instance : scenario.memory.active(Instance.class)) {
      if (instance.status() == Instance.Status.PROVISIONING) {
        observation(instance.id(), ResourceObservation.State.READY);
      }
    }
  }

  /** Machines are made and ready, and jobs are started. */
  void run() {
    answer();
    boot();
    answer();
  }

  void observation(String instanceId, ResourceObservation.State state) {
    int number = machines.values().stream().toList().indexOf(instanceId) + 1;
    scenario.tell(
        new Message.ResourceObserved(
            instanceId, new ResourceObservation(state, endpoint(number), null, "")));
  }

  private Endpoint endpoint(int number) {
    return new Endpoint(
        "10.0.0." + number,
        22,
        "root",
        hasPrivateAddresses ? "172.16.0." + number : null,
        null,
        null);
  }

  /** The provider refuses a machine after it had accepted the request. */
  void refuseLate(String instanceId, Refusal refusal, String detail) {
    machines.values().remove(instanceId);
    scenario.tell(
        new Message.ResourceObserved(instanceId, ResourceObservation.refused(refusal, detail)));
  }

  /** The provider says when it takes a machine away. */
  void notice(String instanceId, Instant at) {
    scenario.tell(
        new Message.ResourceObserved(
            instanceId,
            new ResourceObservation(
                ResourceObservation.State.READY, Endpoint.of("10.0.0.1"), at, "")));
  }

  /** The provider takes a machine away. */
  void take(String instanceId) {
    machines.values().remove(instanceId);
    scenario.tell(new Message.ResourceObserved(instanceId, ResourceObservation.ABSENT));
  }

  /** Makes a machine under a key without saying so. */
  String makeSilently(String key) {
    String id = "i-" + ++made;
    machines.put(id, key);
    return id;
  }

  static Resource.Ref ref(String id) {
    return new Resource.Ref(id, "eu-1", Map.of());
  }

  void carryOut(Action action) {
    switch (action.operation()) {
      case Operation.Create create -> create(action, create.request());
      case Operation.Delete delete -> {
        String id = delete.ref().id();
        if (isInUse(id)) {
          scenario.report(action, new ActionOutcome.Failed("it has machines", true));
          return;
        }
        machines.remove(id);
        groups.remove(id);
        scenario.report(action, new ActionOutcome.Done(scenario.now()));
        scenario.tell(
            new Message.ResourceObserved(action.resourceId(), ResourceObservation.ABSENT));
      }
      case Operation.Find _, Operation.FindJob _ ->
          scenario.report(action, new ActionOutcome.Looked(found(action.resourceId()), VISIBLE));
      case Operation.StartJob start -> start(action, start.request().place());
      case Operation.ReleaseJob _, Operation.RemoveJob _ ->
          scenario.report(action, new ActionOutcome.Done(scenario.now()));
      case Operation.StopJob _ -> end(action, 143, JobObservation.Cause.STOPPED);
      case Operation.KillJob _ -> end(action, 137, JobObservation.Cause.KILLED);
    }
  }

  private List<Resource.Ref> found(String key) {
    return Stream.concat(machines.entrySet().stream(), groups.entrySet().stream())
        .filter(thing -> thing.getValue().equals(key))
        .map(thing -> ref(thing.getKey()))
        .toList();
  }

  private boolean isInUse(String group) {
    return machines.keySet().stream().anyMatch(machine -> group.equals(grouped.get(machine)));
  }

  /** Makes a placement group under a key without saying so. */
  String makeGroupSilently(String key) {
    String id = "pg-" + ++made;
    groups.put(id, key);
    return id;
  }

  private void createGroup(Action action, Place place) {
    asked.add("group@" + (place.zone() == null ? place.region() : place.zone()));
    if (soldOut.contains("group@" + place.region())) {
      scenario.report(action, ActionOutcome.Failed.soldOut("no more groups"));
      return;
    }
    String id = makeGroupSilently(action.resourceId());
    scenario.report(action, new ActionOutcome.Created(scenario.now(), ref(id)));
    if (readyGroups) {
      observation(action.resourceId(), ResourceObservation.State.READY);
    }
  }

  private boolean isSoldOut(Place place) {
    asked.add(place.instanceType() + "@" + place.region());
    return soldOut.contains(place.instanceType()) || soldOut.contains(place.region());
  }

  private void create(Action action, ResourceRequest request) {
    switch (request) {
      case PlacementGroupRequest group -> createGroup(action, group.place());
      case MachineRequest machine -> createMachine(action, machine);
    }
  }

  private void createMachine(Action action, MachineRequest request) {
    if (isSoldOut(request.place())) {
      scenario.report(action, ActionOutcome.Failed.soldOut("sold out"));
      return;
    }
    String id = makeSilently(action.resourceId());
    MachineRequest.Group group = request.placementGroup();
    if (group != null) {
      assertThat(groups).as("the group of %s", action).containsEntry(group.ref().id(), group.key());
      grouped.put(id, group.ref().id());
    }
    scenario.report(action, new ActionOutcome.Created(scenario.now(), ref(id)));
  }

  private void start(Action action, @Nullable Place place) {
    if (place != null && place.instance() == null && isSoldOut(place)) {
      scenario.report(action, ActionOutcome.Failed.soldOut("sold out"));
      return;
    }
    scenario.report(action, new ActionOutcome.Done(scenario.now()));
  }

  private void end(Action action, int code, JobObservation.Cause cause) {
    scenario.report(action, new ActionOutcome.Done(scenario.now()));
    if (scenario.memory.find(Attempt.class, action.resourceId()).isPresent()) {
      scenario.tell(new Message.Observed(action.resourceId(), scenario.exited(code, cause)));
    }
  }
}
