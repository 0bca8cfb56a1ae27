package dev.berth.simulation;

import dev.berth.decisions.Message;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.EntityReference;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.Schedule;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.ContainerImages;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.fleet.FleetPlanner;
import dev.berth.planning.task.TaskPlanner;
import dev.berth.simulation.plan.WorkStep;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns what a plan says of runs and fleets into what a server is sent. Pure. */
final class Configurations {
  static final String PROJECT = "main";
  static final String USER = "ann";

  private Configurations() {}

  /**
   * A submission.
   *
   * @param after the ids of the runs that must succeed first
   */
  static Message.Submit submit(String runId, WorkStep.Submit step, List<String> after) {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    written.put("type", "task");
    written.put("resources", Map.of("cpu", Map.of("count", step.task().cpus())));
    TaskConfiguration task = task(step.task());
    RunSpec spec =
        new TaskPlanner()
            .plan(new PlanRequest<>(PROJECT, task, task, List.of(), ContainerImages.USUAL))
            .spec();
    return new Message.Submit(runId, PROJECT, USER, step.run(), written, spec, after);
  }

  static Message.ApplyFleet apply(String fleetId, WorkStep.ApplyFleet step) {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    written.put("type", "fleet");
    return new Message.ApplyFleet(
        fleetId,
        PROJECT,
        USER,
        WorkStep.fleetName(step.number()),
        written,
        FleetPlanner.spec(fleet(step.machines())));
  }

  private static FleetConfiguration fleet(WorkStep.Machines machines) {
    return new FleetConfiguration(
        null,
        machines.cluster() ? FleetPlacement.CLUSTER : FleetPlacement.ANY,
        new Blocks(machines.blocks()),
        new FleetNodes(
            machines.min(), machines.target(), machines.max() == 0 ? null : machines.max()),
        null,
        cpus(machines.cpus()),
        machines.backends().isEmpty() ? null : machines.backends(),
        null,
        null,
        null,
        machines.spot() ? SpotPolicy.SPOT : SpotPolicy.AUTO,
        null,
        null,
        TimeLimit.of(Duration.ofSeconds(machines.idleSeconds())),
        null,
        null,
        null,
        List.of());
  }

  private static ResourcesSpec cpus(int least) {
    return new ResourcesSpec(new CpuSpec(null, Range.atLeast(least)), null, null, null, null);
  }

  private static TaskConfiguration task(WorkStep.Task task) {
    RunSettings run =
        new RunSettings(
            null,
            null,
            null,
            false,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            cpus(task.cpus()),
            task.terms().priority(),
            List.of(),
            null,
            List.of(),
            List.of(),
            false);
    WorkStep.Nodes nodes = task.terms().nodes();
    boolean grouped = nodes.failsAfter() > 0;
    return new TaskConfiguration(
        run,
        profile(task),
        task.commands(),
        List.of(),
        nodes.count() == 1 || grouped ? null : nodes.count(),
        grouped ? groups(task, nodes) : null);
  }

  private static List<NodeGroup> groups(WorkStep.Task task, WorkStep.Nodes nodes) {
    List<String> failing = List.of("sleep " + nodes.failsAfter(), "exit 1");
    return List.of(
        new NodeGroup("most", nodes.count() - 1, cpus(task.cpus()), task.commands(), List.of()),
        new NodeGroup("last", 1, cpus(task.cpus()), failing, List.of()));
  }

  private static ProfileParams profile(WorkStep.Task task) {
    WorkStep.Terms terms = task.terms();
    return new ProfileParams(
        task.backends().isEmpty() ? null : task.backends(),
        null,
        null,
        null,
        null,
        task.spot() ? SpotPolicy.SPOT : SpotPolicy.AUTO,
        terms.retry().isEmpty()
            ? null
            : new RetryPolicy(terms.retry(), Duration.ofSeconds(terms.retrySeconds())),
        task.maxSeconds() == 0 ? null : TimeLimit.of(Duration.ofSeconds(task.maxSeconds())),
        TimeLimit.of(Duration.ofSeconds(task.stopSeconds())),
        terms.maxPrice() == 0 ? null : terms.maxPrice(),
        null,
        TimeLimit.of(Duration.ofSeconds(terms.idleSeconds())),
        null,
        terms.nodes().order(),
        terms.nodes().criteria(),
        terms.everyMinutes() == 0
            ? null
            : new Schedule(List.of("*/" + terms.everyMinutes() + " * * * *")),
        terms.fleet() == 0
            ? null
            : List.of(new EntityReference(null, WorkStep.fleetName(terms.fleet()))),
        null,
        null,
        null);
  }
}
