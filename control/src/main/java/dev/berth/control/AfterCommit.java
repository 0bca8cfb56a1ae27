package dev.berth.control;

import dev.berth.control.offers.OfferCache;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.View;
import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.Resource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * What follows from a commit: actions are handed over, backends are looked at for what is there
 * now, and offers are looked up for who waits. Called by the thread that steps the loop.
 */
final class AfterCommit implements ControlLoop.Listener {
  private final Dispatcher dispatcher;
  private final Set<String> repeated;
  private final BackendMonitors monitors;
  private final MachineLinks machines;
  private final OfferCache offers;
  private final InstantSource clock;
  private final AtomicLong newestSeq;
  private final ControlSteps.Follower follower;
  private final StateMetrics stateMetrics;

  /**
   * Follows nothing yet.
   *
   * @param repeated gets the actions that are handed over once more
   * @param newestSeq gets the number of the newest event
   */
  AfterCommit(
      Dispatcher dispatcher,
      Set<String> repeated,
      BackendMonitors monitors,
      MachineLinks machines,
      OfferCache offers,
      InstantSource clock,
      AtomicLong newestSeq,
      ControlSteps.Follower follower,
      StateMetrics stateMetrics) {
    this.dispatcher = dispatcher;
    this.repeated = repeated;
    this.monitors = monitors;
    this.machines = machines;
    this.offers = offers;
    this.clock = clock;
    this.newestSeq = newestSeq;
    this.follower = follower;
    this.stateMetrics = stateMetrics;
  }

  @Override
  public void handOver(Collection<Action> actions, boolean again) {
    if (again) {
      actions.forEach(action -> repeated.add(action.id()));
    }
    dispatcher.accept(actions);
  }

  @Override
  public void reloaded() {
    // That machines are there may have been in the commit that was lost, too.
    monitors.forget();
    machines.forget();
    offers.loopStartsAnew();
  }

  @Override
  public void wanted(Map<OfferRequirement, Instant> lookups) {
    offers.want(lookups);
  }

  @Override
  public void loaded(View view) {
    stateMetrics.loaded(view);
    monitors.loaded();
    machines.lookAtAll();
  }

  @Override
  public void changed(Collection<Entity> written, Collection<Entity> deleted) {
    Instant now = clock.instant();
    refusedLate(written).forEach(offers::failed);
    for (Entity entity : written) {
      stateMetrics.written(entity, now);
      monitors.written(entity);
      machines.written(entity);
    }
    for (Entity entity : deleted) {
      stateMetrics.deleted(entity);
      monitors.deleted(entity);
      machines.deleted(entity);
    }
  }

  /**
   * The offers of machines that their providers refused after they had accepted the requests. What
   * is refused at once is known from the call.
   */
  static List<String> refusedLate(Collection<Entity> written) {
    Set<String> made =
        written.stream()
            .filter(Resource.class::isInstance)
            .map(Resource.class::cast)
            .filter(resource -> !resource.active() && resource.ref() != null)
            .map(Resource::id)
            .collect(Collectors.toSet());
    return written.stream()
        .filter(Instance.class::isInstance)
        .map(Instance.class::cast)
        .filter(instance -> !instance.active() && made.contains(instance.id()))
        .flatMap(
            instance ->
                instance
                    .bought()
                    .filter(purchase -> purchase.reason() == InstanceReason.NO_OFFERS)
                    .map(purchase -> purchase.place().offerKey(instance.backend()))
                    .stream())
        .toList();
  }

  @Override
  public void committed(View view, int unfinished, long newest) {
    newestSeq.set(newest);
    monitors.committed(view);
    machines.committed(view);
    follower.committed(view, unfinished, newest);
  }
}
