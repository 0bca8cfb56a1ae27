package dev.berth.planning;

import dev.berth.model.PolicyBound;
import dev.berth.model.config.RunConfiguration;
import java.util.List;

/**
 * A run to be planned.
 *
 * @param project whose secrets, uploads and backends it may use
 * @param written what its author wrote, and what policies set for its author, without defaults:
 *     only what is written is reserved on machines that cost nothing
 * @param filled the same with its defaults
 * @param bounds where the server's policies let it be
 * @param images what its containers run in where it names none
 */
public record PlanRequest<C extends RunConfiguration>(
    String project, C written, C filled, List<PolicyBound> bounds, ContainerImages images) {
  public PlanRequest {
    bounds = List.copyOf(bounds);
  }
}
