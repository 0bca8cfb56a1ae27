package dev.berth.planning.jobs;

import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.RegistryAuth;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunConfiguration;
import dev.berth.model.config.RunSettings;
import dev.berth.planning.Plan;
import dev.berth.planning.Unsupported;
import dev.berth.planning.UnsupportedFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What of the fields that all runs have cannot be honoured, and where. */
public final class SettingsChecks {
  private final RunSettings run;
  private final ProfileParams profile;
  private final List<ResourcesSpec> resources;
  private final Map<String, String> commands;

  /**
   * Looks at a run.
   *
   * @param resources of its nodes, once for those that are alike
   * @param commands of all its nodes, by the paths of their fields
   */
  public SettingsChecks(
      RunConfiguration configuration, List<ResourcesSpec> resources, Map<String, String> commands) {
    this.run = configuration.run();
    this.profile = configuration.profile();
    this.resources = List.copyOf(resources);
    this.commands = new LinkedHashMap<>(commands);
  }

  public UnsupportedFields unsupported() {
    return new UnsupportedFields(anywhere(), onHosts(run), inContainers(false), inContainers(true));
  }

  /** The secrets that the fields name, each with the path of the field that it stands in. */
  public List<Plan.NamedSecret> secrets() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (EnvironmentVariable variable : run.env()) {
      texts.put("env." + variable.name(), Objects.requireNonNullElse(variable.value(), ""));
    }
    texts.putAll(commands);
    RegistryAuth registry = run.registryAuth();
    if (registry != null) {
      texts.put("registry_auth.username", registry.username());
      texts.put("registry_auth.password", registry.password());
    }
    texts.putAll(RepositoryCheckout.secretTexts(run));
    List<Plan.NamedSecret> found = new ArrayList<>();
    texts.forEach(
        (path, text) ->
            SecretReferences.parse("", text)
                .secrets()
                .forEach(secret -> found.add(new Plan.NamedSecret(path, secret.name()))));
    return found;
  }

  /** Why a place that runs plain processes cannot run it; empty where it can. */
  static List<Unsupported> onHosts(RunSettings run) {
    List<Unsupported> found = new ArrayList<>();
    refuse(
        found,
        run.image() != null,
        "image",
        "this machine runs commands without containers; remove 'image', or use a backend that runs"
            + " containers");
    refuse(
        found,
        Boolean.TRUE.equals(run.nvcc()),
        "nvcc",
        "this machine runs commands without containers, so there is no image with nvcc");
    refuse(
        found,
        Boolean.TRUE.equals(run.docker()),
        "docker",
        "this machine runs commands without containers, so Docker is not available inside one");
    refuse(
        found,
        run.registryAuth() != null,
        "registry_auth",
        "this machine runs commands without containers, so no registry is used");
    refuse(found, run.privileged(), "privileged", "this machine runs commands without containers");
    refuse(
        found,
        run.entrypoint() != null,
        "entrypoint",
        "this machine runs commands without containers; move the entrypoint to 'commands'");
    refuse(
        found, run.user() != null, "user", "this machine runs commands as the user of the server");
    refuse(
        found,
        !run.volumes().isEmpty(),
        "volumes",
        "volumes are not mounted on this machine; use its folders in the commands directly");
    return found;
  }

  /**
   * Why a place that runs containers cannot run it yet.
   *
   * @param ownEngines whether it is an engine of ours, which does more
   */
  private List<Unsupported> inContainers(boolean ownEngines) {
    List<Unsupported> found = new ArrayList<>();
    RegistryAuth registry = run.registryAuth();
    refuse(
        found,
        registry != null && SecretReferences.parse("", registry.password()).secrets().isEmpty(),
        "registry_auth.password",
        "passwords are not stored with runs; save it with 'berth secret set NAME' and write ${{"
            + " secrets.NAME }} here");
    refuse(
        found,
        Boolean.TRUE.equals(run.docker()),
        "docker",
        "Docker inside containers is not supported yet");
    refuse(
        found,
        run.image() == null && Boolean.TRUE.equals(run.nvcc()) && run.python() != null,
        "python",
        "the image for 'nvcc' does not come with a choice of Python versions; set an 'image' that"
            + " has both, or remove one of the two");
    refuse(
        found,
        run.entrypoint() != null && !ownEngines,
        "entrypoint",
        "'entrypoint' is not supported yet; move it to 'commands'");
    refuse(
        found, !run.volumes().isEmpty() && !ownEngines, "volumes", "volumes are not supported yet");
    refuse(
        found,
        ownEngines && run.volumes().stream().anyMatch(MountPoint.VolumeMount.class::isInstance),
        "volumes",
        "network volumes are not supported yet; use a folder of the machine");
    return found;
  }

  /** Why no place can run it yet. */
  private List<Unsupported> anywhere() {
    List<Unsupported> found = new ArrayList<>();
    RepositoryCheckout.refuse(run, found);
    refuse(
        found,
        run.dstack(),
        "dstack",
        "access to the server from inside jobs is not supported yet");
    refuse(
        found,
        profile.utilizationPolicy() != null
            && resources.stream().noneMatch(PlacementRequirements::asksForGpus),
        "utilization_policy",
        "the policy needs a GPU, but no node requests one; add one to 'resources' or remove the"
            + " policy");
    for (EnvironmentVariable variable : run.env()) {
      refuse(
          found,
          variable.value() == null,
          "env." + variable.name(),
          "the variable has no value; set it in your environment or with -e "
              + variable.name()
              + "=VALUE");
    }
    commands.forEach(
        (path, command) -> {
          String obstacle = SecretCommands.obstacle(command);
          if (obstacle != null) {
            found.add(new Unsupported(path, obstacle));
          }
        });
    return found;
  }

  private static void refuse(
      List<Unsupported> found, boolean condition, String path, String message) {
    if (condition) {
      found.add(new Unsupported(path, message));
    }
  }
}
