package dev.berth.model;

import java.util.Map;

/**
 * Everything that a provider is told of a resource that is no job, pinned when it is ordered, so
 * that a repeated call asks for the same to the byte.
 */
public sealed interface ResourceRequest permits MachineRequest, PlacementGroupRequest {
  /** What is asked for. */
  ResourceType type();

  Place place();

  /** What people see at the provider. */
  String name();

  /** What people want to see there: labels of users, and those of {@link Labels} but its name. */
  Map<String, String> tags();

  /**
   * The number of the event that asks for it. What a provider has with a newer one shows that the
   * ledger was set back. 0 in what was stored before it was pinned.
   */
  Long seq();
}
