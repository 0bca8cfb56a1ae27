package dev.berth.decisions;

import dev.berth.model.JobSpec;
import dev.berth.model.Work;
import dev.berth.model.spec.RunSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The variables by which jobs of all kinds know their run and their place in it. */
final class RunVariables {
  private static final List<String> PREFIXES = List.of("BERTH_", "DSTACK_");

  private RunVariables() {}

  /** The nodes of a run with what is known of it at its submission. Variables of the user win. */
  static List<Work.Node> ofRun(RunSpec run, String runId, String name) {
    List<Work.Node> nodes = new ArrayList<>();
    for (Work.Node node : run.nodes()) {
      Map<String, String> variables = new LinkedHashMap<>();
      variables.put("RUN_NAME", name);
      variables.put("RUN_ID", runId);
      variables.put("JOB_ID", "");
      variables.put("NODES_NUM", String.valueOf(run.nodes().size()));
      variables.put("NODE_RANK", String.valueOf(nodes.size()));
      variables.put("NODES_IPS", "127.0.0.1");
      variables.put("MASTER_NODE_IP", "127.0.0.1");
      nodes.add(new Work.Node(with(node.spec(), variables), node.wishes()));
    }
    return nodes;
  }

  private static JobSpec with(JobSpec spec, Map<String, String> variables) {
    Map<String, String> missing = new LinkedHashMap<>();
    for (String prefix : PREFIXES) {
      variables.forEach(
          (name, value) -> {
            String full = prefix + name;
            if (!spec.environment().containsKey(full)
                && !spec.secrets().environment().containsKey(full)) {
              missing.put(full, value);
            }
          });
    }
    return spec.with(missing, spec.commands());
  }

  /** What a job does, once it has an id. */
  static JobSpec ofJob(JobSpec spec, String jobId) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String prefix : PREFIXES) {
      if (spec.environment().getOrDefault(prefix + "JOB_ID", jobId).isEmpty()) {
        environment.put(prefix + "JOB_ID", jobId);
      }
    }
    return spec.with(environment, spec.commands());
  }
}
