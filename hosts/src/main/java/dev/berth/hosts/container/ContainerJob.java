package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.jobdir.JobDirectory;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is to be run in a container, as it is kept in the job directory, so that whoever comes after
 * us can go on. Without secrets.
 *
 * @param user null for the image's own
 * @param shell null for {@code /bin/sh}
 * @param workingDirectory null for the image's own
 * @param files where the job expects what is in the folder {@code files}, in its order
 * @param secrets the names of variables whose values are elsewhere
 */
record ContainerJob(
    String attemptId,
    String image,
    @Nullable String user,
    @Nullable String entrypoint,
    @Nullable String shell,
    List<String> commands,
    @Nullable String workingDirectory,
    Map<String, String> environment,
    long stopDurationMillis,
    @Nullable Long maxDurationMillis,
    ContainerSpec.Limits limits,
    ContainerSpec.Devices devices,
    String network,
    List<ContainerSpec.Port> ports,
    boolean privileged,
    List<ContainerSpec.Mount> mounts,
    List<String> files,
    List<String> secrets) {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  ContainerJob {
    commands = List.copyOf(commands);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    ports = List.copyOf(ports);
    mounts = List.copyOf(mounts);
    files = List.copyOf(files);
    secrets = List.copyOf(secrets);
  }

  static ContainerJob read(JobDirectory directory) {
    try {
      return MAPPER.readValue(
          directory.text(JobDirectory.CONTAINER).orElse(""), ContainerJob.class);
    } catch (JacksonException unreadable) {
      throw new HostException(
          HostException.Code.INVALID,
          "the file %s of the job directory %s cannot be read"
              .formatted(JobDirectory.CONTAINER, directory.path()),
          unreadable);
    }
  }

  /** What was asked of the engine, for reading its refusals. */
  ContainerSpec asked() {
    return new ContainerSpec(
        image,
        List.of(),
        "",
        "",
        Map.of(),
        Map.of(),
        mounts,
        limits,
        devices,
        network,
        ports,
        privileged);
  }

  String text() {
    return MAPPER.writeValueAsString(this);
  }
}
