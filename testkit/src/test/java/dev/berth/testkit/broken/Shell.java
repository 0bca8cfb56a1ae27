package dev.berth.testkit.broken;

import dev.berth.backends.sim.SimConfig;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.spi.BackendType;
import dev.berth.spi.JobRuntime;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The little of a shell that the simulated cloud has not and checks of real ones use. */
public final class Shell extends ForwardingRuntime {
  private Shell(JobRuntime sound) {
    super(sound);
  }

  /** The type of a simulated cloud with such a shell. */
  public static BackendType<SimConfig> type(BackendType<SimConfig> type) {
    return Variant.opened(
        type,
        compute ->
            new ForwardingCompute(compute) {
              @Override
              public Optional<JobRuntime> runtime() {
                return super.runtime().map(Shell::new);
              }
            });
  }

  @Override
  public Instant start(JobRequest request) {
    JobSpec spec = request.spec();
    return super.start(
        request.with(
            new JobSpec(
                spec.shell(),
                spec.commands().stream()
                    .map(command -> interpreted(command, spec.environment()))
                    .toList(),
                spec.workingDirectory(),
                spec.environment(),
                spec.files(),
                spec.stopDuration(),
                spec.maxDuration(),
                spec.requirements())));
  }

  private static String interpreted(String command, Map<String, String> environment) {
    String text =
        switch (command) {
          case "id -u" -> "echo 0";
          // Whatever runs in the simulated cloud computes.
          case "while :; do :; done" -> "sleep 3600";
          default -> command;
        };
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      text = text.replace("$" + variable.getKey(), variable.getValue());
    }
    return text;
  }
}
