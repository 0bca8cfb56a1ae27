package dev.berth.planning.task;

import dev.berth.model.Work;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.spec.NodeAddresses;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.Plan;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.Planner;
import dev.berth.planning.jobs.NodePlanner;
import dev.berth.planning.jobs.SettingsChecks;
import dev.berth.planning.policy.PolicySubject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plans tasks: one node, several alike, or groups of nodes. */
public final class TaskPlanner implements Planner<TaskConfiguration> {
  @Override
  public String type() {
    return "task";
  }

  @Override
  public Class<TaskConfiguration> configuration() {
    return TaskConfiguration.class;
  }

  @Override
  public Plan plan(PlanRequest<TaskConfiguration> request) {
    TaskConfiguration task = request.filled();
    SettingsChecks checks = new SettingsChecks(task, resources(task), commands(task));
    NodePlanner nodes = new NodePlanner(request);
    return new Plan(
        new RunSpec(type(), nodes(request, nodes), 1, nodes.policy(), task.after()),
        checks.unsupported(),
        checks.secrets());
  }

  private static List<Work.Node> nodes(
      PlanRequest<TaskConfiguration> request, NodePlanner planner) {
    TaskConfiguration task = request.filled();
    List<ResourcesSpec> written = resources(request.written());
    List<NodeGroup> groups = task.groups();
    if (groups == null) {
      int count = count(task);
      List<String> commands = NodeAddresses.byRank(task.commands(), List.of(count));
      return Collections.nCopies(
          count, planner.node(written.getFirst(), task.run().resources(), task.ports(), commands));
    }
    List<Integer> sizes = groups.stream().map(NodeGroup::nodes).toList();
    List<Work.Node> nodes = new ArrayList<>();
    for (int number = 0; number < groups.size(); number++) {
      NodeGroup group = groups.get(number);
      List<String> commands = NodeAddresses.byRank(group.commands(), sizes);
      nodes.addAll(
          Collections.nCopies(
              group.nodes(),
              planner.node(written.get(number), group.resources(), group.ports(), commands)));
    }
    return nodes;
  }

  /** Of its nodes, once for those that are alike. */
  private static List<ResourcesSpec> resources(TaskConfiguration task) {
    List<NodeGroup> groups = task.groups();
    return groups == null
        ? List.of(task.run().resources())
        : groups.stream().map(NodeGroup::resources).toList();
  }

  /** How many nodes there are; a sum that no number can hold is no small one. */
  private static int count(TaskConfiguration task) {
    List<NodeGroup> groups = task.groups();
    if (groups != null) {
      return groups.stream().map(NodeGroup::nodes).reduce(0, Math::addExact);
    }
    return task.nodes() == null ? 1 : task.nodes();
  }

  /** All commands, by the paths of their fields. */
  private static Map<String, String> commands(TaskConfiguration task) {
    Map<String, String> all = new LinkedHashMap<>();
    List<NodeGroup> groups = task.groups();
    if (groups == null) {
      number(all, "", task.commands());
    } else {
      for (int i = 0; i < groups.size(); i++) {
        number(all, "groups[" + i + "].", groups.get(i).commands());
      }
    }
    return all;
  }

  private static void number(Map<String, String> all, String prefix, List<String> commands) {
    for (int i = 0; i < commands.size(); i++) {
      all.put(prefix + "commands[" + i + "]", commands.get(i));
    }
  }

  @Override
  public PolicySubject subject(TaskConfiguration task) {
    return PolicySubject.of(task, resources(task), count(task));
  }

  @Override
  public TaskConfiguration with(TaskConfiguration task, PolicySubject changed) {
    List<NodeGroup> groups = task.groups();
    List<NodeGroup> changedGroups = null;
    if (groups != null) {
      changedGroups = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        NodeGroup group = groups.get(i);
        changedGroups.add(
            new NodeGroup(
                group.name(),
                group.nodes(),
                changed.resources().get(i),
                group.commands(),
                group.ports()));
      }
    }
    return new TaskConfiguration(
        groups == null ? task.run().with(changed.resources().getFirst()) : task.run(),
        changed.profile(),
        task.commands(),
        task.ports(),
        task.nodes(),
        changedGroups,
        task.after());
  }
}
