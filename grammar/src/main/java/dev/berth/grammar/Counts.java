package dev.berth.grammar;

import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.Range;
import dev.berth.model.config.ReplicaGroup;
import dev.berth.model.config.ServiceConfiguration;
import dev.berth.model.config.TaskConfiguration;
import java.util.List;
import java.util.Objects;

/**
 * How many of something one file may ask for. Each node, replica and machine is a row of the
 * server's, so that a number in a small file must not become more of them than a server can hold.
 */
final class Counts {
  /** Nodes of a task and machines of a fleet. */
  static final int MOST_NODES = 1_000;

  static final int MOST_REPLICAS = 1_000;
  static final int MOST_GROUPS = 100;
  static final int MOST_GATEWAYS = 9;

  /** Characters of commands and environment, which every node has for itself. */
  static final long MOST_CHARACTERS = 16 * 1024 * 1024;

  private Counts() {}

  static void checkNodes(TaskConfiguration task, Check.Findings findings) {
    List<NodeGroup> groups = task.groups();
    if (groups != null) {
      total(groups.stream().mapToLong(NodeGroup::nodes).sum(), MOST_NODES, "nodes", findings);
    }
  }

  static void checkReplicas(ServiceConfiguration service, Check.Findings findings) {
    List<ReplicaGroup> groups = service.groups();
    if (groups != null) {
      long sum = groups.stream().map(ReplicaGroup::replicas).mapToLong(Counts::most).sum();
      total(sum, MOST_REPLICAS, "replicas", findings);
    }
  }

  private static long most(Range<Integer> replicas) {
    return Objects.requireNonNullElse(replicas.max(), 0);
  }

  private static void total(long sum, int most, String members, Check.Findings findings) {
    if (sum > most) {
      findings.error(
          Rule.GROUPS_TOTAL,
          "groups",
          "the groups have " + sum + " " + members + " in total; expected at most " + most);
    }
  }

  static void checkCharacters(TaskConfiguration task, Check.Findings findings) {
    List<NodeGroup> groups = task.groups();
    long nodes = task.nodes() == null ? 1 : task.nodes();
    long commands = nodes * characters(task.commands());
    if (groups != null) {
      nodes = groups.stream().mapToLong(NodeGroup::nodes).sum();
      commands =
          groups.stream().mapToLong(group -> group.nodes() * characters(group.commands())).sum();
    }
    long environment = task.run().env().stream().mapToLong(Counts::characters).sum();
    long all = commands + nodes * environment;
    if (all > MOST_CHARACTERS) {
      findings.error(
          Rule.NODES_CHARACTERS,
          groups == null ? "nodes" : "groups",
          "the commands and environments of all nodes have "
              + all
              + " characters in total; expected at most "
              + MOST_CHARACTERS
              + "; put long commands into a script under 'files'");
    }
  }

  private static long characters(List<String> commands) {
    return commands.stream().mapToLong(String::length).sum();
  }

  private static long characters(EnvironmentVariable variable) {
    String value = variable.value();
    return (long) variable.name().length() + (value == null ? 0 : value.length());
  }
}
