package dev.berth.backends.sim;

import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import dev.berth.spi.Owner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Traits;
import java.util.List;
import java.util.Optional;

/** The start of one job. All that can be refused is, before anything is made. */
record Starting(Turn turn, JobRequest request, Owner owner, Traits traits) {
  /** The job of the key: the one that is there where the cloud knows it again, or a new one. */
  SimJob start(Identity identity) {
    return existing(identity).orElseGet(this::start);
  }

  /** The job that the key started before, where the cloud knows keys again. */
  private Optional<SimJob> existing(Identity identity) {
    String key = request.attemptId();
    if (identity instanceof Identity.Lookup) {
      return Optional.empty();
    }
    Optional<SimJob> before = turn.world().jobsOf(owner, key).stream().findFirst();
    if (before.isPresent() && !turn.world().visible(before.get(), turn.now())) {
      throw new BackendException.Gone(
          "the job %s was removed, and is not started again".formatted(key), null);
    }
    return before;
  }

  private SimJob start() {
    turn.requireRoom();
    Place place = request.place();
    if (place == null) {
      throw new BackendException.Permanent(
          "a job in the simulated cloud needs a place; choose an offer", null);
    }
    return switch (traits.base()) {
      case MACHINES -> startOnMachine(place);
      case CONTAINERS, HOSTS -> startContainer(Site.of(place));
    };
  }

  private SimJob startContainer(Site wish) {
    turn.requireLaunch();
    List<SimResource> volumes =
        SimVolumes.require(turn, request.volumes().stream().map(ResourceRef::of).toList());
    Site near = wish;
    for (SimResource volume : volumes) {
      near = near.near(volume);
    }
    SimJob job = startAt(near);
    SimVolumes.attach(turn, volumes, job.id());
    return job;
  }

  private SimJob startAt(Site wish) {
    try {
      Site site = turn.market().settle(wish, 1, turn.now());
      return JobWishes.put(turn, owner, request, site, null);
    } catch (BackendException.NoCapacity soldOut) {
      if (!turn.scenario().queue()) {
        throw soldOut;
      }
      return JobWishes.putWaiting(turn, owner, request, wish);
    }
  }

  private SimJob startOnMachine(Place place) {
    String id = place.instance();
    if (id == null) {
      throw new BackendException.Permanent(
          "this backend gives machines; create one, and name it as the place of the job", null);
    }
    SimResource machine =
        turn.world()
            .find(id, ResourceType.INSTANCE, turn.now())
            .filter(thing -> thing.life().usable(turn.now()) && thing.belongsTo(owner))
            .orElseThrow(
                () -> new BackendException.Gone("the machine %s is gone".formatted(id), null));
    if (machine.life().state(turn.now()) != Found.State.READY) {
      throw new BackendException.Transient(
          "the machine %s is not ready; try again soon".formatted(id), null);
    }
    OwnJobs.requireReachable(machine.unreachable(), id);
    return JobWishes.putOn(turn, owner, request, machine);
  }
}
