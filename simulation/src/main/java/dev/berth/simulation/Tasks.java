package dev.berth.simulation;

import dev.berth.decisions.Message;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import dev.berth.simulation.plan.WorkStep;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns what a plan says of a run into what a server is sent. Pure. */
final class Tasks {
  static final String PROJECT = "main";
  static final String USER = "ann";

  private Tasks() {}

  static Message.Submit submit(String runId, WorkStep.Submit step) {
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    written.put("type", "task");
    written.put("resources", Map.of("cpu", Map.of("count", step.task().cpus())));
    return new Message.Submit(runId, PROJECT, USER, step.run(), written, task(step.task()));
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
            new ResourcesSpec(
                new CpuSpec(null, Range.atLeast(task.cpus())), null, null, null, null),
            null,
            List.of(),
            null,
            List.of(),
            List.of(),
            false);
    return new TaskConfiguration(run, profile(task), task.commands(), List.of(), null, null);
  }

  private static ProfileParams profile(WorkStep.Task task) {
    return new ProfileParams(
        task.backends().isEmpty() ? null : task.backends(),
        null,
        null,
        null,
        null,
        task.spot() ? SpotPolicy.SPOT : SpotPolicy.AUTO,
        null,
        task.maxSeconds() == 0 ? null : TimeLimit.of(Duration.ofSeconds(task.maxSeconds())),
        TimeLimit.of(Duration.ofSeconds(task.stopSeconds())),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
