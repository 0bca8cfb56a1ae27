package dev.berth.control;

import dev.berth.control.offers.OfferCache;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.View;
import dev.berth.model.Action;
import dev.berth.model.Entity;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What follows from a commit: actions are handed over, backends are looked at for what is there
 * now, and offers are looked up for who waits. Called by the thread that steps the loop.
 */
final class AfterCommit implements ControlLoop.Listener {
  private final Dispatcher dispatcher;
  private final Set<String> repeated;
  private final Lookouts lookouts;
  private final MachineLinks machines;
  private final OfferCache offers;
  private final InstantSource clock;
  private final AtomicLong newestSeq;
  private final Machinery.Follower follower;
  private final Census census;

  /**
   * Follows nothing yet.
   *
   * @param repeated gets the actions that are handed over once more
   * @param newestSeq gets the number of the newest event
   */
  AfterCommit(
      Dispatcher dispatcher,
      Set<String> repeated,
      Lookouts lookouts,
      MachineLinks machines,
      OfferCache offers,
      InstantSource clock,
      AtomicLong newestSeq,
      Machinery.Follower follower,
      Census census) {
    this.dispatcher = dispatcher;
    this.repeated = repeated;
    this.lookouts = lookouts;
    this.machines = machines;
    this.offers = offers;
    this.clock = clock;
    this.newestSeq = newestSeq;
    this.follower = follower;
    this.census = census;
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
    lookouts.forget();
    machines.forget();
    offers.loopStartsAnew();
  }

  @Override
  public void wanted(Map<OfferRequirement, Instant> lookups) {
    offers.want(lookups);
  }

  @Override
  public void loaded(View view) {
    census.loaded(view);
    lookouts.loaded();
    machines.lookAtAll();
  }

  @Override
  public void changed(Collection<Entity> written, Collection<Entity> deleted) {
    Instant now = clock.instant();
    for (Entity entity : written) {
      census.written(entity, now);
      lookouts.written(entity);
      machines.written(entity);
    }
    for (Entity entity : deleted) {
      census.deleted(entity);
      lookouts.deleted(entity);
      machines.deleted(entity);
    }
  }

  @Override
  public void committed(View view, int unfinished, long newest) {
    newestSeq.set(newest);
    lookouts.committed(view);
    machines.committed(view);
    follower.committed(view, unfinished, newest);
  }
}
