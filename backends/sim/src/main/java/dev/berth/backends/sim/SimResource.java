package dev.berth.backends.sim;

import dev.berth.model.ResourceType;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that the simulated cloud holds for somebody.
 *
 * @param number counts all that the cloud ever made; part of the id
 * @param unreachable whether nobody can reach it, though it is ready
 * @param refusal when its request is refused; null where it is not
 */
record SimResource(
    long number,
    String id,
    ResourceType type,
    String key,
    Map<String, String> tags,
    Site site,
    Life life,
    Links links,
    boolean publicAddress,
    boolean unreachable,
    @Nullable LateRefusal refusal) {
  SimResource {
    tags = Map.copyOf(tags);
  }

  SimResource with(Life newLife) {
    return new SimResource(
        number, id, type, key, tags, site, newLife, links, publicAddress, unreachable, refusal);
  }

  SimResource with(Links newLinks) {
    return new SimResource(
        number, id, type, key, tags, site, life, newLinks, publicAddress, unreachable, refusal);
  }

  /** Whether its request was refused by now, and nobody had taken it back before. */
  boolean isRefused(Instant now) {
    return refusal != null && life.deletedAt() == null && Life.passed(refusal.at(), now);
  }

  boolean belongsTo(Owner owner) {
    return owner.installation().equals(tags.get(Marks.OWNER));
  }
}
