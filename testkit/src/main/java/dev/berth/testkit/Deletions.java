package dev.berth.testkit;

import dev.berth.spi.BackendException;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a run of the kit asked to be deleted, until it is gone. Asks again and again, as a server
 * does: what is in use goes later, and what is made of several parts may go one part at a time.
 */
final class Deletions {
  private final Subject subject;
  private final Waiting waiting;
  private final Supplier<Provisioner> provisioner;
  private final List<ResourceRef> pending = new ArrayList<>();
  private final List<ProviderSide.Existing> thereBefore;

  Deletions(Subject subject, Waiting waiting, Supplier<Provisioner> provisioner) {
    this.subject = subject;
    this.waiting = waiting;
    this.provisioner = provisioner;
    this.thereBefore = existing();
  }

  private List<ProviderSide.Existing> existing() {
    return subject.inventory().map(ProviderSide::existing).orElse(List.of());
  }

  /** What is in use, or could not be deleted for another reason that passes. */
  void later(ResourceRef ref) {
    pending.add(ref);
  }

  /** What was deleted; where the provider's side is seen, it is looked whether it goes. */
  void accepted(ResourceRef ref) {
    if (subject.inventory().isPresent()) {
      pending.add(ref);
    }
  }

  boolean arePending() {
    return !pending.isEmpty();
  }

  /** Deletes all that is pending, and waits for it. */
  void complete() {
    for (ResourceRef ref : pending) {
      waiting.await(
          subject.limits().gone(),
          "the %s could not be deleted".formatted(ref.type().word()),
          () -> {
            provisioner.get().delete(ref);
            return subject.inventory().isEmpty() || provisioner.get().describe(ref).isEmpty()
                ? Optional.of(true)
                : Optional.empty();
          });
    }
    pending.clear();
  }

  /** Asks once more for all that is pending, without waiting for it. */
  void askAgain() {
    if (subject.inventory().isPresent()) {
      pending.removeIf(this::isGoneByNow);
    }
  }

  private boolean isGoneByNow(ResourceRef ref) {
    try {
      return isGone(ref);
    } catch (BackendException e) {
      // It stays pending until the end of the run, which says so when it never goes.
      return false;
    }
  }

  /** Whether what was deleted is not there any more; asks for its deletion again where it is. */
  boolean isGone(ResourceRef ref) {
    if (provisioner.get().describe(ref).isEmpty()) {
      return true;
    }
    provisioner.get().delete(ref);
    return false;
  }

  /** What costs money at the provider and did not when the run began; empty where nobody sees. */
  List<ProviderSide.Existing> leftAtProvider() {
    List<ProviderSide.Existing> left = new ArrayList<>(existing());
    left.removeAll(thereBefore);
    return left;
  }
}
