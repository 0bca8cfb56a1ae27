package dev.berth.model.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A fleet as users see it.
 *
 * @param status active, terminating or terminated
 * @param temporary whether it was made for one run, and goes with its last machine
 * @param message what keeps it from having the machines that it shall have
 * @param nextAt when it is tried again to get them
 * @param price of all its machines, in US dollars an hour
 */
public record FleetView(
    String id,
    String name,
    String project,
    String user,
    String status,
    boolean temporary,
    @Nullable String message,
    @Nullable Instant nextAt,
    Nodes nodes,
    double price,
    Instant createdAt) {
  /**
   * How many machines a fleet has, and shall have.
   *
   * @param min as many are kept
   * @param max as many may be there; null for any number
   * @param provisioning ordered, and not ready
   */
  public record Nodes(
      int min,
      int target,
      @Nullable Integer max,
      int idle,
      int busy,
      int provisioning,
      int terminating) {}
}
