package dev.berth.planning.jobs;

import dev.berth.model.JobSecrets;
import dev.berth.model.JobSpec;
import dev.berth.model.RunPolicy;
import dev.berth.model.SecretText;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.RegistryAuth;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import dev.berth.model.config.TimeLimit;
import dev.berth.planning.PlanRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Plans the nodes of a run from the fields that all runs have. What differs between nodes and kinds
 * of runs is passed in: resources, ports and commands.
 */
public final class NodePlanner {
  private final PlanRequest<?> request;
  private final RunSettings run;
  private final ProfileParams profile;
  private final boolean containerOnly;

  public NodePlanner(PlanRequest<?> request) {
    this.request = request;
    this.run = request.filled().run();
    this.profile = request.filled().profile();
    this.containerOnly =
        SettingsChecks.onHosts(run).stream().anyMatch(one -> !one.path().equals("privileged"));
  }

  /** How the run is carried through. */
  public RunPolicy policy() {
    return new RunPolicy(
        run.priority() == null ? 0 : run.priority(),
        Objects.requireNonNullElse(profile.retry(), RetryPolicy.OFF),
        Objects.requireNonNullElse(profile.startupOrder(), StartupOrder.ANY),
        Objects.requireNonNullElse(profile.stopCriteria(), StopCriteria.ALL_DONE),
        List.of(),
        profile.schedule() == null ? List.of() : profile.schedule().cron());
  }

  /**
   * One node, and all that are like it.
   *
   * @param written its resources as the file has them, without defaults
   * @param filled the same with defaults
   * @param commands its commands, in which other nodes are named by their ranks
   */
  public Work.Node node(
      ResourcesSpec written, ResourcesSpec filled, List<PortMapping> ports, List<String> commands) {
    return new Work.Node(job(written, filled, commands), wishes(filled, ports));
  }

  private Wishes wishes(ResourcesSpec resources, List<PortMapping> ports) {
    return new Wishes(
        request.project(),
        PlacementRequirements.orEmpty(profile.backends()),
        PlacementRequirements.filter(resources, profile),
        Containers.of(run, resources, ports, request.images()),
        PlacementRequirements.machines(profile),
        request.bounds(),
        containerOnly);
  }

  private JobSpec job(ResourcesSpec written, ResourcesSpec filled, List<String> commands) {
    SecretCommands named = new SecretCommands(request.project());
    List<String> lines = named.withVariables(commands);
    Map<String, String> environment = new LinkedHashMap<>();
    Map<String, SecretText> secrets = new LinkedHashMap<>(named.variables());
    for (EnvironmentVariable variable : run.env()) {
      SecretText text = parse(Objects.requireNonNullElse(variable.value(), ""));
      if (text.secrets().isEmpty()) {
        environment.put(variable.name(), SecretReferences.words(text));
      } else {
        secrets.put(variable.name(), text);
      }
    }
    List<JobSpec.File> files = new ArrayList<>();
    List<String> script = new ArrayList<>();
    RepositoryCheckout checkout = RepositoryCheckout.of(run, request.project());
    if (checkout != null) {
      environment.put("BERTH_REPO_ID", checkout.id());
      environment.put("DSTACK_REPO_ID", checkout.id());
      files.addAll(checkout.files());
      script.addAll(checkout.commands());
      secrets.putAll(checkout.secrets());
    }
    run.files()
        .forEach(file -> files.add(new JobSpec.File(file.localPath(), file.path(), archive(file))));
    script.addAll(lines);
    return new JobSpec(
        run.shell(),
        script,
        run.workingDir(),
        environment,
        files,
        limit(profile.stopDuration()),
        limit(profile.maxDuration()),
        PlacementRequirements.reserved(written, filled),
        // A node that asks for no GPU has none that could idle.
        PlacementRequirements.asksForGpus(filled) ? profile.utilizationPolicy() : null,
        new JobSecrets(secrets, login(run.registryAuth())));
  }

  private SecretText parse(String text) {
    return SecretReferences.parse(request.project(), text);
  }

  private JobSecrets.@Nullable Login login(@Nullable RegistryAuth registry) {
    return registry == null
        ? null
        : new JobSecrets.Login(parse(registry.username()), parse(registry.password()));
  }

  /** What an upload is called among those of all projects; the same bytes are not shared. */
  private @Nullable String archive(FileMapping file) {
    return file.archive() == null ? null : request.project() + "/" + file.archive();
  }

  private static @Nullable Duration limit(@Nullable TimeLimit limit) {
    return limit == null ? null : limit.duration();
  }
}
