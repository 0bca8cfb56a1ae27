package dev.berth.hosts.container;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import dev.berth.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Turns what the control plane asks for into what is run in a container. */
final class ContainerTranslation {
  private ContainerTranslation() {}

  /**
   * What is run for a request.
   *
   * @param isThere whether there is something at a path of the engine's machine
   */
  static ContainerJob job(
      JobRequest request,
      Container container,
      DockerHost.Defaults defaults,
      String network,
      Predicate<String> isThere,
      DockerHost.Given given) {
    JobSpec spec = request.spec();
    ResourceVector share = request.share();
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PYTHONUNBUFFERED", "1");
    environment.putAll(given.counts());
    environment.putAll(spec.environment());
    if (container.privileged()) {
      environment.putAll(given.hiding());
    }
    environment.put("BERTH_ATTEMPT_ID", request.attemptId());
    return new ContainerJob(
        request.attemptId(),
        container.image(),
        container.user(),
        container.entrypoint(),
        spec.shell(),
        spec.commands(),
        spec.workingDirectory(),
        environment,
        Objects.requireNonNullElse(spec.stopDuration(), ShellJob.DEFAULT_STOP_DURATION).toMillis(),
        millis(spec.maxDuration()),
        new ContainerSpec.Limits(
            share.cpus() > 0 ? Double.valueOf(share.cpus()) : null,
            share.memoryMib() > 0 ? Long.valueOf(share.memoryMib() << 20) : null,
            container.shmMib() == null
                ? defaults.shmBytes()
                : Long.valueOf(container.shmMib() << 20),
            defaults.ulimits()),
        given.devices(),
        network,
        ports(container),
        container.privileged(),
        container.mounts().stream()
            .filter(mount -> !mount.optional() || isThere.test(mount.hostPath()))
            .map(mount -> new ContainerSpec.Mount(mount.hostPath(), mount.path(), false))
            .toList(),
        spec.files().stream().map(JobSpec.File::target).toList(),
        List.copyOf(request.secrets().keySet()));
  }

  /** Each with the numbers that lead to it, or with any where none is named. */
  private static List<ContainerSpec.Port> ports(Container container) {
    List<ContainerSpec.Port> ports = new ArrayList<>();
    container.hostPorts().forEach((host, port) -> ports.add(new ContainerSpec.Port(port, host)));
    container.ports().stream()
        .filter(port -> !container.hostPorts().containsValue(port))
        .forEach(port -> ports.add(new ContainerSpec.Port(port, null)));
    return ports;
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : Long.valueOf(duration.toMillis());
  }

  /** What the runner and the job's shell read, once the image is known. */
  static ShellJob shellJob(
      ContainerJob job, List<String> commands, String directory, Map<String, String> environment) {
    Long most = job.maxDurationMillis();
    Map<String, Secret> named = new LinkedHashMap<>();
    job.secrets().forEach(name -> named.put(name, Secret.of("")));
    return new ShellJob(
        job.attemptId(),
        Objects.requireNonNullElse(job.shell(), ContainerPaths.SHELL),
        commands,
        MachinePath.of(directory),
        environment,
        Duration.ofMillis(job.stopDurationMillis()),
        most == null ? null : Duration.ofMillis(most),
        null,
        null,
        List.of(),
        named);
  }
}
