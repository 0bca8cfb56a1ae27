package dev.berth.backends.sim;

import java.time.Instant;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * The queue of the simulated cloud: gives jobs that wait the place that came back first, the
 * longest waiting first. Each gets it at the time when it came back, whenever somebody looks.
 */
final class Admission {
  private Admission() {}

  static void admit(Turn turn) {
    World world = turn.world();
    if (world.somebodyWaits()) {
      Market market = turn.market();
      NavigableSet<Instant> times = market.changes(world.admittedUntil(), turn.now());
      for (Instant time = times.pollFirst(); time != null; time = times.pollFirst()) {
        admit(turn, market, time, times);
      }
    }
    world.admittedUntil(turn.now());
  }

  private static void admit(Turn turn, Market market, Instant time, NavigableSet<Instant> times) {
    for (SimJob job : turn.world().waiting(time)) {
      Optional<Site> site =
          time.isBefore(job.course().askedAt())
              ? Optional.empty()
              : market.findZone(job.site(), 1, time);
      if (site.isPresent()) {
        SimJob placed = placed(turn, job, site.get(), time);
        turn.world().put(placed);
        // Its end may come before now, and gives the place to the next one.
        JobEnd.of(placed)
            .map(JobEnd::at)
            .filter(end -> !end.isAfter(turn.now()))
            .ifPresent(times::add);
      }
    }
  }

  private static SimJob placed(Turn turn, SimJob job, Site site, Instant time) {
    Interruption interruption =
        turn.spot().interruption(site, SimIds.number(job.id()), time, turn.world().openedAt());
    return job.placed(
        site,
        new SimJob.Course(
            job.course().askedAt(), time, time.plus(turn.scenario().bootTime()), interruption));
  }
}
