package dev.berth.simulation.invariants;

import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.JobRequest;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.Resource;
import dev.berth.model.ResourceVector;
import dev.berth.simulation.Server;
import dev.berth.simulation.World;
import dev.berth.simulation.providers.Provider;
import dev.berth.spi.Identity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Hosts and bought machines run no more than fits, by the records and in truth, and accounts keep
 * to their quotas.
 */
final class PlacesAreNotOverfull implements Invariant {
  /** What was handed over for each job. */
  private final Map<String, JobRequest> requests = new HashMap<>();

  @Override
  public String name() {
    return "no place is overfull";
  }

  @Override
  public void handedOver(World world, Server server, Action action) {
    if (action.operation() instanceof Operation.StartJob start) {
      requests.put(action.resourceId(), start.request());
    }
  }

  @Override
  public void check(World world) {
    for (Provider provider : world.providers()) {
      provider
          .complaint()
          .ifPresent(complaint -> violated(world, provider.name() + " " + complaint));
      checkMachines(world, provider);
    }
    world
        .records()
        .all(Instance.class)
        .forEach(
            instance -> {
              if (isOverfull(instance.free())) {
                violated(
                    world, instance.id() + " has given away more than it has: " + instance.free());
              }
            });
  }

  /** What runs on each machine that was bought has no more together than the machine has. */
  private void checkMachines(World world, Provider provider) {
    Map<String, ResourceVector> free = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (Provider.Held held : world.held(provider)) {
      JobRequest job = requests.get(held.key());
      Place place = job == null ? null : job.place();
      String machine = place == null ? null : place.instance();
      if (!held.ours() || job == null || place == null || machine == null) {
        continue;
      }
      if (!seen.add(held.key()) || isOfLateCall(world, provider, held)) {
        // Both are mistakes of another kind, which have their own time to be mended.
        continue;
      }
      ResourceVector left = free.getOrDefault(machine, provider.capacity(place)).minus(job.share());
      free.put(machine, left);
      if (left.cpus() < 0 || left.memoryMib() < 0) {
        violated(
            world,
            provider.name() + " runs more than fits on " + machine + ": what is left is " + left);
      }
    }
  }

  /** Where keys are looked up, nobody can refuse a call that comes after all was settled. */
  private static boolean isOfLateCall(World world, Provider provider, Provider.Held held) {
    return provider.compute().identity() instanceof Identity.Lookup
        && world
            .records()
            .find(Resource.class, Entity.Kind.RESOURCE, held.key())
            .filter(Resource::active)
            .isEmpty();
  }

  private static boolean isOverfull(ResourceVector free) {
    return free.slots() < 0 || free.cpus() < 0 || free.memoryMib() < 0;
  }
}
