package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A machine that shall be made.
 *
 * @param offer what is bought, whole; null only in what was stored before it was pinned
 * @param diskMib the size of its disk; null for what the offer comes with
 * @param placementGroup the one that it shall be in; null for none
 */
public record MachineRequest(
    Place place,
    @Nullable CatalogItem offer,
    String name,
    @Nullable Long diskMib,
    Map<String, String> tags,
    @Nullable Group placementGroup,
    Boot boot,
    Long seq)
    implements ResourceRequest {
  /**
   * A placement group that is there.
   *
   * @param key the one that it carries
   * @param ref what the provider calls it
   */
  public record Group(String key, Resource.Ref ref) {}

  public MachineRequest {
    tags = Collections.unmodifiableMap(new TreeMap<>(tags));
    // What was stored before they were pinned has none.
    boot = Objects.requireNonNullElse(boot, Boot.NONE);
    seq = Objects.requireNonNullElse(seq, 0L);
  }

  @Override
  public ResourceType type() {
    return ResourceType.INSTANCE;
  }

  public CatalogItem requireOffer() {
    return Objects.requireNonNull(offer, "the machine was bought");
  }

  /** The same, of which the offer and the event that asks for it are known. */
  public MachineRequest of(CatalogItem newOffer, long newSeq) {
    return new MachineRequest(place, newOffer, name, diskMib, tags, placementGroup, boot, newSeq);
  }

  /** The same, in a placement group. */
  public MachineRequest in(Group group) {
    return new MachineRequest(place, offer, name, diskMib, tags, group, boot, seq);
  }
}
