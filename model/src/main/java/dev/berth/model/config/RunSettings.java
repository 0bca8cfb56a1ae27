package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tasks, services and dev environments have in common. */
public record RunSettings(
    @Nullable String name,
    @Nullable String image,
    @Nullable String user,
    boolean privileged,
    @Nullable String entrypoint,
    @Nullable String workingDir,
    @Nullable RegistryAuth registryAuth,
    @Nullable String python,
    @Nullable Boolean nvcc,
    @Nullable Boolean singleBranch,
    List<EnvironmentVariable> env,
    @Nullable String shell,
    ResourcesSpec resources,
    @Nullable Integer priority,
    List<MountPoint> volumes,
    @Nullable Boolean docker,
    List<RepoSpec> repos,
    List<FileMapping> files,
    boolean dstack) {
  public RunSettings {
    env = List.copyOf(env);
    volumes = List.copyOf(volumes);
    repos = List.copyOf(repos);
    files = List.copyOf(files);
  }

  /** The same, with other resources. */
  public RunSettings with(ResourcesSpec newResources) {
    return new RunSettings(
        name,
        image,
        user,
        privileged,
        entrypoint,
        workingDir,
        registryAuth,
        python,
        nvcc,
        singleBranch,
        env,
        shell,
        newResources,
        priority,
        volumes,
        docker,
        repos,
        files,
        dstack);
  }
}
