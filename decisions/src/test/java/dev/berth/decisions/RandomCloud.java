package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Endpoint;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceRequest;
import dev.berth.model.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A provider of machines as unreliable as chance wants it: what is asked for is sold out, made
 * without an answer, made twice, never ready, or taken away. It cannot tell whether a key was used
 * before, so that asking twice makes two.
 */
final class RandomCloud {
  static final Duration VISIBLE = Duration.ofMinutes(3);

  private final Random random;
  private final Map<String, Machine> machines = new TreeMap<>();
  private final Map<String, Deque<Action>> calls = new TreeMap<>();

  /** Machines that went since somebody asked. */
  private final List<String> went = new ArrayList<>();

  private boolean reliable;
  private int made;

  /** Something that costs money. */
  private static final class Machine {
    final String key;
    final ResourceType type;

    /** The provider's id of its placement group, or nothing. */
    final String group;

    ResourceObservation.State state = ResourceObservation.State.CREATING;

    Machine(String key, ResourceType type, String group) {
      this.key = key;
      this.type = type;
      this.group = group;
    }
  }

  RandomCloud(Random random) {
    this.random = random;
  }

  void becomeReliable() {
    reliable = true;
  }

  void accept(Action action) {
    calls.computeIfAbsent(action.resourceId(), _ -> new ArrayDeque<>()).add(action);
  }

  List<String> busy() {
    return calls.entrySet().stream()
        .filter(line -> !line.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  Message call(String resourceId, Instant now) {
    Action action = calls.computeIfAbsent(resourceId, _ -> new ArrayDeque<>()).removeFirst();
    return new Message.ActionReported(action.id(), outcome(action, now));
  }

  private ActionOutcome outcome(Action action, Instant now) {
    return switch (action.operation()) {
      case Operation.Create create -> create(action, create.request(), now);
      case Operation.Delete delete -> {
        if (chance(15)) {
          yield new ActionOutcome.Failed("no answer", random.nextBoolean());
        }
        String id = delete.ref().id();
        if (isInUse(id)) {
          yield new ActionOutcome.Failed("it has machines", true);
        }
        if (machines.containsKey(id)) {
          lose(id);
        }
        yield chance(20)
            ? new ActionOutcome.Failed("no answer", true)
            : new ActionOutcome.Done(now);
      }
      case Operation.Find _ ->
          chance(20)
              ? new ActionOutcome.Failed("busy", random.nextBoolean())
              : new ActionOutcome.Looked(
                  machines.entrySet().stream()
                      .filter(one -> one.getValue().key.equals(action.resourceId()))
                      .map(one -> Cloud.ref(one.getKey()))
                      .toList(),
                  VISIBLE);
      case Operation.OnJob _ ->
          throw new IllegalStateException("jobs are not made here: " + action);
    };
  }

  private ActionOutcome create(Action action, ResourceRequest request, Instant now) {
    if (chance(20)) {
      return ActionOutcome.Failed.soldOut("sold out");
    }
    if (chance(10)) {
      return new ActionOutcome.Failed(
          "too often", true, false, chance(50) ? Duration.ofSeconds(30) : null, null);
    }
    MachineRequest.Group wanted =
        request instanceof MachineRequest machine ? machine.placementGroup() : null;
    String group = wanted == null ? "" : wanted.ref().id();
    if (wanted != null && !machines.containsKey(group)) {
      return new ActionOutcome.Failed("there is no such group", false);
    }
    boolean lost = chance(20);
    if (lost && random.nextBoolean()) {
      return ActionOutcome.Failed.inDoubt("no answer", VISIBLE);
    }
    String id = make(action, group);
    if (chance(10)) {
      make(action, group);
    }
    return lost
        ? ActionOutcome.Failed.inDoubt("no answer", VISIBLE)
        : new ActionOutcome.Created(now, Cloud.ref(id));
  }

  private String make(Action action, String group) {
    String id = "i-" + ++made;
    machines.put(id, new Machine(action.resourceId(), action.of(), group));
    return id;
  }

  private boolean isInUse(String group) {
    return machines.values().stream().anyMatch(machine -> machine.group.equals(group));
  }

  /** Something happens by itself to one of the machines. */
  void happen() {
    List<String> all = List.copyOf(machines.keySet());
    if (all.isEmpty()) {
      return;
    }
    String id = all.get(random.nextInt(all.size()));
    Machine machine = machines.get(id);
    if (machine == null) {
      return;
    }
    switch (random.nextInt(12)) {
      case 0 -> machine.state = ResourceObservation.State.FAILED;
      case 1 -> machine.state = ResourceObservation.State.LEAVING;
      case 2 -> lose(id);
      default ->
          machine.state =
              machine.state == ResourceObservation.State.CREATING
                  ? ResourceObservation.State.READY
                  : machine.state;
    }
  }

  /** All that is there becomes ready. */
  void boot() {
    machines.values().stream()
        .filter(machine -> machine.state == ResourceObservation.State.CREATING)
        .forEach(machine -> machine.state = ResourceObservation.State.READY);
  }

  private void lose(String id) {
    machines.remove(id);
    went.add(id);
  }

  /** The machines that went since this was asked before. */
  List<String> went() {
    List<String> all = List.copyOf(went);
    went.clear();
    return all;
  }

  ResourceObservation look(Resource.@Nullable Ref ref) {
    Machine machine = ref == null ? null : machines.get(ref.id());
    return machine == null
        ? ResourceObservation.ABSENT
        : new ResourceObservation(machine.state, Endpoint.of("10.1.1.1"), null, "");
  }

  boolean has(String id) {
    return machines.containsKey(id);
  }

  /** What is there, as a look through everything shows it. */
  List<Message.Swept.Stranger> all() {
    return machines.entrySet().stream()
        .map(
            one ->
                new Message.Swept.Stranger(
                    one.getValue().type, one.getValue().key, Cloud.ref(one.getKey())))
        .toList();
  }

  private boolean chance(int percent) {
    return !reliable && random.nextInt(100) < percent;
  }
}
