package dev.berth.backends.sim;

import dev.berth.model.Resource;
import dev.berth.spi.Owner;
import dev.berth.spi.Tags;
import java.util.Map;

/**
 * Something that the simulated cloud holds for somebody.
 *
 * @param number counts all that the cloud ever made; part of the id
 * @param unreachable whether nobody can reach it, though it is ready
 */
record Thing(
    long number,
    String id,
    Resource.Type type,
    String key,
    Map<String, String> tags,
    Site site,
    Life life,
    Links links,
    boolean publicAddress,
    boolean unreachable) {
  Thing {
    tags = Map.copyOf(tags);
  }

  Thing with(Life newLife) {
    return new Thing(number, id, type, key, tags, site, newLife, links, publicAddress, unreachable);
  }

  Thing with(Links newLinks) {
    return new Thing(number, id, type, key, tags, site, life, newLinks, publicAddress, unreachable);
  }

  boolean belongsTo(Owner owner) {
    return owner.installation().equals(tags.get(Tags.OWNER));
  }
}
