package dev.berth.decisions;

import dev.berth.model.config.DevEnvironmentConfiguration;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.spec.RunSpec;
import dev.berth.planning.Plan;
import dev.berth.planning.PlanRequest;
import dev.berth.planning.Planner;
import dev.berth.planning.jobs.NodePlanner;
import dev.berth.planning.jobs.SettingsChecks;
import dev.berth.planning.policy.PolicySubject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A planner of dev environments that is good enough to show what a new kind of run needs: this
 * class, and its name in {@code META-INF/services}.
 */
public final class EnvironmentPlanner implements Planner<DevEnvironmentConfiguration> {
  @Override
  public String type() {
    return "dev-environment";
  }

  @Override
  public Class<DevEnvironmentConfiguration> configuration() {
    return DevEnvironmentConfiguration.class;
  }

  @Override
  public Plan plan(PlanRequest<DevEnvironmentConfiguration> request) {
    DevEnvironmentConfiguration environment = request.filled();
    ResourcesSpec resources = environment.run().resources();
    List<String> commands = new ArrayList<>(environment.init());
    commands.add("exec tail -f /dev/null");
    Map<String, String> byPath = new LinkedHashMap<>();
    for (int i = 0; i < environment.init().size(); i++) {
      byPath.put("init[" + i + "]", environment.init().get(i));
    }
    SettingsChecks checks = new SettingsChecks(environment, List.of(resources), byPath);
    NodePlanner nodes = new NodePlanner(request);
    return new Plan(
        new RunSpec(
            type(),
            List.of(
                nodes.node(
                    request.written().run().resources(), resources, environment.ports(), commands)),
            nodes.policy()),
        checks.unsupported(),
        checks.secrets());
  }

  @Override
  public PolicySubject subject(DevEnvironmentConfiguration environment) {
    return PolicySubject.of(environment, List.of(environment.run().resources()), 1);
  }

  @Override
  public DevEnvironmentConfiguration with(
      DevEnvironmentConfiguration environment, PolicySubject changed) {
    return new DevEnvironmentConfiguration(
        environment.run().with(changed.resources().getFirst()),
        changed.profile(),
        environment.ports(),
        environment.ide(),
        environment.version(),
        environment.init(),
        environment.inactivityDuration());
  }
}
