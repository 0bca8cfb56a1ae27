package dev.berth.backends.sim;

import dev.berth.model.ResourceType;
import dev.berth.spi.Marks;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that costs money in the simulated cloud now, as only the cloud itself can know it: no
 * list is late, and no fault hides it. For whoever checks that nothing is left.
 *
 * @param owner the installation that asked for it
 * @param instanceType null for what is no machine
 * @param since when it was made
 * @param reachable whether it answers
 * @param noticedAt when the cloud said that it will take it back; null where it has not
 * @param over whether it is a job that has ended, and whose place is not given back
 */
public record Holding(
    ResourceType type,
    String id,
    String key,
    String owner,
    String region,
    @Nullable String instanceType,
    Instant since,
    boolean reachable,
    @Nullable Instant noticedAt,
    boolean over) {
  /**
   * A job, as long as it costs money.
   *
   * @param queue whether jobs wait for their places, which then come back when jobs end
   */
  static Optional<Holding> of(SimJob job, World world, Instant now, boolean queue) {
    Site site = job.site();
    Instant since = job.course().askedAt();
    boolean over = JobEnd.over(job, now);
    return world.visible(job, now) && (!over || (!queue && isRentedOn(job, now)))
        ? Optional.of(
            new Holding(
                ResourceType.JOB,
                job.id(),
                job.key(),
                job.owner(),
                site.region(),
                job.onMachine() ? null : site.instanceType(),
                since,
                !job.unreachable(),
                noticedAt(job.course().interruption(), now),
                over))
        : Optional.empty();
  }

  /** Whether the place of an ended job is ours still: nobody gave it back, or took it. */
  private static boolean isRentedOn(SimJob job, Instant now) {
    Interruption interruption = job.course().interruption();
    return job.home() == null
        && job.course().acquiredAt() != null
        && (interruption == null || now.isBefore(interruption.at()));
  }

  static Optional<Holding> of(SimResource thing, Instant now) {
    Site site = thing.site();
    return thing.life().there(now)
        ? Optional.of(
            new Holding(
                thing.type(),
                thing.id(),
                thing.key(),
                thing.tags().getOrDefault(Marks.OWNER, ""),
                site.region(),
                site.instanceType(),
                thing.life().createdAt(),
                !thing.unreachable(),
                noticedAt(thing.life().interruption(), now),
                false))
        : Optional.empty();
  }

  private static @Nullable Instant noticedAt(@Nullable Interruption interruption, Instant now) {
    return interruption != null && Life.passed(interruption.noticeAt(), now)
        ? interruption.noticeAt()
        : null;
  }
}
