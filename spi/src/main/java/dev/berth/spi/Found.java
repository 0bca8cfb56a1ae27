package dev.berth.spi;

import dev.berth.model.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource as the provider shows it. {@link #of} and the methods after it make one step by step.
 *
 * @param tags what the provider keeps with it: the marks, and labels where it has room for them
 * @param access where it is reached; null while it has no address
 * @param members the ids of what belongs to it, for a group
 * @param partOf the provider's id of the resource that it belongs to, such as the machine of a disk
 *     or an address: it goes when that is deleted. Null for what was created by itself
 * @param detail what the provider says about it, in its own words; empty where it says nothing
 * @param interruptedAt when the provider will take it back, if it said so
 * @param refusal why it was refused; null unless it is {@link State#REFUSED}
 */
public record Found(
    ResourceRef ref,
    State state,
    Map<String, String> tags,
    Instant createdAt,
    @Nullable MachineAddress access,
    List<String> members,
    @Nullable String partOf,
    String detail,
    @Nullable Instant interruptedAt,
    @Nullable Refusal refusal) {
  public Found {
    tags = Map.copyOf(tags);
    members = List.copyOf(members);
    if ((state == State.REFUSED) != (refusal != null)) {
      throw new IllegalArgumentException("what is REFUSED, and only that, has a refusal");
    }
  }

  /** A resource of which no more is known, in any state but {@link State#REFUSED}. */
  public static Found of(ResourceRef ref, State state, Instant createdAt) {
    return new Found(ref, state, Map.of(), createdAt, null, List.of(), null, "", null, null);
  }

  /**
   * A request that was accepted and refused later.
   *
   * @param detail the provider's own sentence
   */
  public static Found refused(ResourceRef ref, Instant askedAt, Refusal refusal, String detail) {
    return new Found(
        ref, State.REFUSED, Map.of(), askedAt, null, List.of(), null, detail, null, refusal);
  }

  /** The marks among its tags; empty where they are not whole. */
  public Optional<Marks> marks() {
    return Marks.in(tags);
  }

  /** The same with marks, for providers that keep them elsewhere than in tags. */
  public Found withMarks(Marks marks) {
    return withTags(marks.tags());
  }

  /** The same with all tags that the provider shows, the marks among them. */
  public Found withTags(Map<String, String> newTags) {
    return new Found(
        ref, state, newTags, createdAt, access, members, partOf, detail, interruptedAt, refusal);
  }

  /** The same with its address. */
  public Found withAccess(MachineAddress newAccess) {
    return new Found(
        ref, state, tags, createdAt, newAccess, members, partOf, detail, interruptedAt, refusal);
  }

  /** The same with the ids of what belongs to it. */
  public Found withMembers(List<String> newMembers) {
    return new Found(
        ref, state, tags, createdAt, access, newMembers, partOf, detail, interruptedAt, refusal);
  }

  /** The host of its address; null while it has none. */
  public @Nullable String host() {
    return access == null ? null : access.host();
  }

  /** The same, which belongs to another resource. */
  public Found partOf(String owningId) {
    return new Found(
        ref, state, tags, createdAt, access, members, owningId, detail, interruptedAt, refusal);
  }

  /** The same with what the provider says about it. */
  public Found withDetail(String newDetail) {
    return new Found(
        ref, state, tags, createdAt, access, members, partOf, newDetail, interruptedAt, refusal);
  }

  /** The same, which the provider will take back. */
  public Found interruptedAt(Instant time) {
    return new Found(ref, state, tags, createdAt, access, members, partOf, detail, time, refusal);
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
    OFF,
    /**
     * The provider accepted the request and refused it later, for the reason in {@link
     * Found#refusal}: nothing is there, nothing costs money, and nothing must be deleted. Only
     * before it was READY. {@link Provisioner#describe} shows it as long as the provider remembers
     * it, and may then be empty; {@link Provisioner#list} never shows it. Where a part is there all
     * the same, the state is FAILED until that part is gone.
     */
    REFUSED
  }
}
