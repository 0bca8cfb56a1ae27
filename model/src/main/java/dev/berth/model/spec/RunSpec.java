package dev.berth.model.spec;

import dev.berth.model.RunPolicy;
import dev.berth.model.Work;
import dev.berth.model.config.RetryPolicy;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * All that decisions need to know of a run. Its nodes do not know the name and the id of the run,
 * so that the same specification serves a plan, an explanation and a submission.
 *
 * @param type the kind of the run, by the word in its file
 * @param nodes one for each rank of a replica; what was explicitly required of a machine stands in
 *     their jobs, what includes the defaults in their wishes
 * @param replicas how many times all of that
 * @param policy how it is carried through; it waits for no run yet, because runs have ids only at
 *     the submission
 * @param after the names of the runs that must succeed first
 */
public record RunSpec(
    String type, List<Work.Node> nodes, int replicas, RunPolicy policy, List<String> after) {
  public RunSpec {
    nodes = List.copyOf(nodes);
    after = List.copyOf(after);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a run has at least one node");
    }
    if (replicas < 1) {
      throw new IllegalArgumentException("a run has at least one replica, not " + replicas);
    }
    if (!policy.after().isEmpty()) {
      throw new IllegalArgumentException("a specification names runs, and knows no ids of them");
    }
  }

  /** One replica, which waits for no other run. */
  public RunSpec(String type, List<Work.Node> nodes, RunPolicy policy) {
    this(type, nodes, 1, policy, List.of());
  }

  /** The node of rank 0, which tools that describe the run in short look at. */
  public Work.Node first() {
    return nodes.getFirst();
  }

  public RunSpec withNodes(List<Work.Node> newNodes) {
    return new RunSpec(type, newNodes, replicas, policy, after);
  }

  /** With other nodes; those that are one and the same stay so, and are asked for once. */
  public RunSpec withEach(UnaryOperator<Work.Node> change) {
    IdentityHashMap<Work.Node, Work.Node> changed = new IdentityHashMap<>();
    return withNodes(nodes.stream().map(node -> changed.computeIfAbsent(node, change)).toList());
  }

  public RunSpec withReplicas(int newReplicas) {
    return new RunSpec(type, nodes, newReplicas, policy, after);
  }

  /** One replica, at once, without a second try. */
  public RunSpec once() {
    return new RunSpec(
        type,
        nodes,
        1,
        new RunPolicy(
            policy.priority(),
            RetryPolicy.OFF,
            policy.startupOrder(),
            policy.stopCriteria(),
            List.of(),
            List.of()),
        List.of());
  }
}
