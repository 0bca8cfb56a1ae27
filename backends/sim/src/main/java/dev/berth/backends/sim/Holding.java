package dev.berth.backends.sim;

import dev.berth.model.Resource;
import dev.berth.spi.Tags;
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
 */
public record Holding(
    Resource.Type type,
    String id,
    String key,
    String owner,
    String region,
    @Nullable String instanceType,
    Instant since,
    boolean reachable) {
  static Optional<Holding> of(SimJob job, World world, Instant now) {
    Site site = job.site();
    Instant since = job.course().askedAt();
    boolean there = world.visible(job, now) && !JobEnd.over(job, now);
    return there
        ? Optional.of(
            new Holding(
                Resource.Type.JOB,
                job.id(),
                job.key(),
                job.owner(),
                site.region(),
                job.onMachine() ? null : site.instanceType(),
                since,
                !job.unreachable()))
        : Optional.empty();
  }

  static Optional<Holding> of(Thing thing, Instant now) {
    Site site = thing.site();
    return thing.life().there(now)
        ? Optional.of(
            new Holding(
                thing.type(),
                thing.id(),
                thing.key(),
                thing.tags().getOrDefault(Tags.OWNER, ""),
                site.region(),
                site.instanceType(),
                thing.life().createdAt(),
                !thing.unreachable()))
        : Optional.empty();
  }
}
