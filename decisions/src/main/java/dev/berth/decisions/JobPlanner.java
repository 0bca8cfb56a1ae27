package dev.berth.decisions;

import dev.berth.model.JobSecrets;
import dev.berth.model.JobSpec;
import dev.berth.model.RunPolicy;
import dev.berth.model.SecretText;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.RegistryAuth;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.Size;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.config.UtilizationPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns a task into the jobs that it needs, and says what cannot be run. */
public final class JobPlanner {
  /** The field that ends runs whose accelerators idle. */
  public static final String UTILIZATION_POLICY = "utilization_policy";

  private JobPlanner() {}

  /** Why a place that runs plain processes cannot run this task; empty where it can. */
  public static List<Unsupported> unsupportedOnHosts(TaskConfiguration task) {
    List<Unsupported> found = new ArrayList<>();
    RunSettings run = task.run();
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
   * Why no place that runs containers can run this task yet.
   *
   * @param ownEngines whether all of them are engines of ours, which do more
   */
  public static List<Unsupported> unsupportedInContainersYet(
      TaskConfiguration task, boolean ownEngines) {
    List<Unsupported> found = new ArrayList<>();
    RunSettings run = task.run();
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

  /** Why no place can run this task yet. */
  public static List<Unsupported> unsupportedYet(TaskConfiguration task) {
    List<Unsupported> found = new ArrayList<>();
    RunSettings run = task.run();
    RepositoryCheckout.refuse(run, found);
    refuse(
        found,
        run.dstack(),
        "dstack",
        "access to the server from inside jobs is not supported yet");
    refuse(
        found,
        task.profile().utilizationPolicy() != null && !asksForGpus(task),
        UTILIZATION_POLICY,
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
    commands(task)
        .forEach(
            (path, command) -> {
              String obstacle = SecretCommands.obstacle(command);
              if (obstacle != null) {
                found.add(new Unsupported(path, obstacle));
              }
            });
    return found;
  }

  /** All commands of a task, by the paths of their fields. */
  private static Map<String, String> commands(TaskConfiguration task) {
    Map<String, String> all = new LinkedHashMap<>();
    List<NodeGroup> groups = task.groups();
    if (groups == null) {
      number(all, "", task.commands());
    } else {
      for (int i = 0; i < groups.size(); i++) {
        number(all, "groups[" + i + "].", groups.get(i).commands());
      }
    }
    return all;
  }

  private static void number(Map<String, String> all, String prefix, List<String> commands) {
    for (int i = 0; i < commands.size(); i++) {
      all.put(prefix + "commands[" + i + "]", commands.get(i));
    }
  }

  /** The secrets that a task names, each with the path of the field that it stands in. */
  public static List<NamedSecret> secrets(TaskConfiguration task) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (EnvironmentVariable variable : task.run().env()) {
      texts.put("env." + variable.name(), Objects.requireNonNullElse(variable.value(), ""));
    }
    texts.putAll(commands(task));
    RegistryAuth registry = task.run().registryAuth();
    if (registry != null) {
      texts.put("registry_auth.username", registry.username());
      texts.put("registry_auth.password", registry.password());
    }
    texts.putAll(RepositoryCheckout.secretTexts(task.run()));
    List<NamedSecret> found = new ArrayList<>();
    texts.forEach(
        (path, text) ->
            SecretReferences.parse("", text)
                .secrets()
                .forEach(secret -> found.add(new NamedSecret(path, secret.name()))));
    return found;
  }

  /** A secret by the name that a field of a task gives. */
  public record NamedSecret(String path, String name) {}

  /** Whether any node of a task needs a GPU. */
  public static boolean asksForGpus(TaskConfiguration task) {
    List<NodeGroup> groups = task.groups();
    return groups == null
        ? asksForGpus(task.run().resources())
        : groups.stream().anyMatch(group -> asksForGpus(group.resources()));
  }

  private static boolean asksForGpus(ResourcesSpec resources) {
    GpuSpec gpu = resources.gpu();
    Integer least = gpu == null ? null : gpu.count().min();
    return least != null && least > 0;
  }

  private static void refuse(
      List<Unsupported> found, boolean condition, String path, String message) {
    if (condition) {
      found.add(new Unsupported(path, message));
    }
  }

  /** A field that cannot be honoured, with what to do about it. */
  public record Unsupported(String path, String message) {}

  /** How a task is carried through. */
  static RunPolicy policy(TaskConfiguration task, List<String> after) {
    ProfileParams profile = task.profile();
    return new RunPolicy(
        task.run().priority() == null ? 0 : task.run().priority(),
        profile.retry() == null ? RetryPolicy.OFF : profile.retry(),
        profile.startupOrder() == null ? StartupOrder.ANY : profile.startupOrder(),
        profile.stopCriteria() == null ? StopCriteria.ALL_DONE : profile.stopCriteria(),
        after,
        profile.schedule() == null ? List.of() : profile.schedule().cron());
  }

  /** What the nodes of one replica do, by rank. */
  static List<Work.Node> nodes(Message.Submit submit) {
    TaskConfiguration task = submit.task();
    List<NodeGroup> groups = task.groups();
    List<Work.Node> nodes = new ArrayList<>();
    if (groups == null) {
      int count = task.nodes() == null ? 1 : task.nodes();
      Wishes wishes = wishes(submit, task.run().resources(), task.ports());
      JobSpec.Requirements needs = requirements(task.run().resources(), submit.written());
      UtilizationPolicy policy = policy(task, task.run().resources());
      List<String> commands = Addresses.byRank(task.commands(), List.of(count));
      for (int rank = 0; rank < count; rank++) {
        nodes.add(new Work.Node(spec(submit, commands, needs, policy, rank, count), wishes));
      }
      return nodes;
    }
    List<Integer> sizes = groups.stream().map(NodeGroup::nodes).toList();
    int count = Constraint.nodes(task);
    for (int number = 0; number < groups.size(); number++) {
      NodeGroup group = groups.get(number);
      Wishes wishes = wishes(submit, group.resources(), group.ports());
      JobSpec.Requirements needs =
          requirements(group.resources(), writtenOf(submit.written(), number));
      UtilizationPolicy policy = policy(task, group.resources());
      List<String> commands = Addresses.byRank(group.commands(), sizes);
      for (int i = 0; i < group.nodes(); i++) {
        nodes.add(
            new Work.Node(spec(submit, commands, needs, policy, nodes.size(), count), wishes));
      }
    }
    return nodes;
  }

  private static Wishes wishes(
      Message.Submit submit, ResourcesSpec resources, List<PortMapping> ports) {
    return Requirements.wishes(submit.task(), resources, ports, submit.images())
        .within(submit.policing().bounds())
        .in(submit.project());
  }

  /** What a node is ended for; one that asks for no GPU has none that could idle. */
  private static @Nullable UtilizationPolicy policy(
      TaskConfiguration task, ResourcesSpec resources) {
    return asksForGpus(resources) ? task.profile().utilizationPolicy() : null;
  }

  private static Map<?, ?> writtenOf(Map<String, @Nullable Object> written, int group) {
    return written.get("groups") instanceof List<?> groups
            && group < groups.size()
            && groups.get(group) instanceof Map<?, ?> one
        ? one
        : Map.of();
  }

  private static JobSpec spec(
      Message.Submit submit,
      List<String> commands,
      JobSpec.Requirements needs,
      @Nullable UtilizationPolicy policy,
      int rank,
      int count) {
    TaskConfiguration task = submit.task();
    RunSettings run = task.run();
    Map<String, String> environment = new LinkedHashMap<>();
    systemVariables(submit, rank, count).forEach((name, value) -> both(environment, name, value));
    SecretCommands named = new SecretCommands(submit.project());
    List<String> lines = named.withVariables(commands);
    Map<String, SecretText> secrets = new LinkedHashMap<>(named.variables());
    for (EnvironmentVariable variable : run.env()) {
      SecretText text =
          SecretReferences.parse(
              submit.project(), Objects.requireNonNullElse(variable.value(), ""));
      if (text.secrets().isEmpty()) {
        environment.put(variable.name(), SecretReferences.words(text));
      } else {
        secrets.put(variable.name(), text);
        environment.remove(variable.name());
      }
    }
    List<JobSpec.File> files = new ArrayList<>();
    List<String> script = new ArrayList<>();
    RepositoryCheckout checkout = RepositoryCheckout.of(run, submit.project());
    if (checkout != null) {
      both(environment, "REPO_ID", checkout.id());
      files.addAll(checkout.files());
      script.addAll(checkout.commands());
      secrets.putAll(checkout.secrets());
    }
    run.files()
        .forEach(
            file ->
                files.add(new JobSpec.File(file.localPath(), file.path(), archive(submit, file))));
    script.addAll(lines);
    return new JobSpec(
        run.shell(),
        script,
        run.workingDir(),
        environment,
        files,
        limit(task.profile().stopDuration()),
        limit(task.profile().maxDuration()),
        needs,
        policy,
        new JobSecrets(secrets, login(submit.project(), run.registryAuth())));
  }

  private static JobSecrets.@Nullable Login login(String project, @Nullable RegistryAuth registry) {
    return registry == null
        ? null
        : new JobSecrets.Login(
            SecretReferences.parse(project, registry.username()),
            SecretReferences.parse(project, registry.password()));
  }

  /** What an upload is called among those of all projects; the same bytes are not shared. */
  private static @Nullable String archive(Message.Submit submit, FileMapping file) {
    return file.archive() == null ? null : submit.project() + "/" + file.archive();
  }

  private static void both(Map<String, String> environment, String name, String value) {
    environment.put("BERTH_" + name, value);
    environment.put("DSTACK_" + name, value);
  }

  private static Map<String, String> systemVariables(Message.Submit submit, int rank, int count) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("RUN_NAME", submit.name());
    variables.put("RUN_ID", submit.runId());
    variables.put("JOB_ID", "");
    variables.put("NODES_NUM", String.valueOf(count));
    variables.put("NODE_RANK", String.valueOf(rank));
    variables.put("NODES_IPS", "127.0.0.1");
    variables.put("MASTER_NODE_IP", "127.0.0.1");
    return variables;
  }

  /** What a job does, once it has an id. */
  static JobSpec named(JobSpec spec, String jobId) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String prefix : List.of("BERTH_", "DSTACK_")) {
      if (spec.environment().getOrDefault(prefix + "JOB_ID", jobId).isEmpty()) {
        environment.put(prefix + "JOB_ID", jobId);
      }
    }
    return spec.with(environment, spec.commands());
  }

  private static @Nullable Duration limit(@Nullable TimeLimit limit) {
    return limit == null ? null : limit.duration();
  }

  /** Only what the user wrote is reserved: defaults are for places that cost money. */
  public static JobSpec.Requirements requirements(ResourcesSpec resources, Map<?, ?> written) {
    if (!(written.get("resources") instanceof Map<?, ?> asked)) {
      return JobSpec.Requirements.NONE;
    }
    CpuSpec cpu = resources.cpu();
    return needs(
        new ResourcesSpec(
            asked.get("cpu") == null ? null : cpu,
            asked.get("memory_mib") == null ? null : resources.memory(),
            null,
            asked.get("gpu") == null ? null : resources.gpu(),
            asked.get("disk") == null ? null : resources.disk()));
  }

  /** What of a machine is reserved for what was asked for. */
  private static JobSpec.Requirements needs(ResourcesSpec resources) {
    CpuSpec cpu = resources.cpu();
    Range<Integer> cpus = cpu == null ? null : cpu.count();
    Range<Size> memory = resources.memory();
    DiskSpec disk = resources.disk();
    GpuSpec gpu = resources.gpu();
    Integer gpus = gpu == null ? null : gpu.count().min();
    Range<Size> gpuMemory = gpu == null ? null : gpu.memory();
    return new JobSpec.Requirements(
        cpus == null ? null : cpus.min(),
        least(memory),
        disk == null ? null : least(disk.size()),
        gpus == null ? 0 : gpus,
        gpu == null ? List.of() : gpu.name(),
        least(gpuMemory));
  }

  private static @Nullable Long least(@Nullable Range<Size> range) {
    Size min = range == null ? null : range.min();
    return min == null ? null : min.mib();
  }
}
