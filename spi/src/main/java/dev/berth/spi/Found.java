package dev.berth.spi;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resource as the provider shows it.
 *
 * @param tags as far as the provider keeps them
 * @param host its address; null while it has none
 * @param hostKey the public key that the machine must show; null where we cannot know it before
 * @param members the ids of what belongs to it, for a group
 * @param detail what the provider says about it, in its own words; empty where it says nothing
 * @param interruptedAt when the provider will take it back, if it said so
 */
public record Found(
    ResourceRef ref,
    State state,
    Map<String, String> tags,
    Instant createdAt,
    @Nullable String host,
    @Nullable String hostKey,
    List<String> members,
    String detail,
    @Nullable Instant interruptedAt) {
  public Found {
    tags = Map.copyOf(tags);
    members = List.copyOf(members);
  }

  /** How far it is. */
  public enum State {
    /** It costs money, or soon will, and cannot be used. */
    CREATING,
    READY,
    /** It was deleted, and is not gone. */
    LEAVING,
    /** It will never be ready, and must be deleted. */
    FAILED,
    /** It is there and does not work for us: stopped, or powered off. May cost money. */
    OFF
  }
}
