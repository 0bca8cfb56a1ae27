package dev.berth.hosts.docker;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A container that shall be made.
 *
 * @param image its id or name
 * @param command all words of its first process
 * @param user as the engine takes it; empty for the image's own
 * @param workingDirectory empty for the image's own; the engine makes it where it is missing
 * @param environment besides the image's own; everybody who may ask the engine can read it
 * @param network bridge, host, none, or the name of a network
 * @param ports that are reachable from the engine's machine
 * @param logKept whether the engine keeps all that is printed, whatever is usual at it
 */
public record ContainerSpec(
    String image,
    List<String> command,
    String user,
    String workingDirectory,
    Map<String, String> environment,
    Map<String, String> labels,
    List<Mount> mounts,
    Limits limits,
    Devices devices,
    String network,
    List<Port> ports,
    boolean privileged,
    boolean logKept) {
  /** More than any disk has: engines take no word for all. */
  private static final String ALL = "1000000g";

  public ContainerSpec {
    command = List.copyOf(command);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    mounts = List.copyOf(mounts);
    ports = List.copyOf(ports);
  }

  /** One whose log nobody reads. */
  public ContainerSpec(
      String image,
      List<String> command,
      String user,
      String workingDirectory,
      Map<String, String> environment,
      Map<String, String> labels,
      List<Mount> mounts,
      Limits limits,
      Devices devices,
      String network,
      List<Port> ports,
      boolean privileged) {
    this(
        image,
        command,
        user,
        workingDirectory,
        environment,
        labels,
        mounts,
        limits,
        devices,
        network,
        ports,
        privileged,
        false);
  }

  /** A file or folder of the engine's machine, and where the container sees it. */
  public record Mount(String source, String target, boolean readOnly) {}

  /**
   * A port, and the number by which the engine's machine reaches it.
   *
   * @param host null for one that the engine chooses
   */
  public record Port(int number, @Nullable Integer host) {}

  /**
   * What it may use at most.
   *
   * @param cpus null for no limit
   * @param memoryBytes null for no limit
   * @param shmBytes the size of {@code /dev/shm}; null for the engine's default
   * @param ulimits by name, such as nofile
   */
  public record Limits(
      @Nullable Double cpus,
      @Nullable Long memoryBytes,
      @Nullable Long shmBytes,
      Map<String, Ulimit> ulimits) {
    public static final Limits NONE = new Limits(null, null, null, Map.of());

    public Limits {
      ulimits = Collections.unmodifiableMap(new LinkedHashMap<>(ulimits));
    }
  }

  /** A limit that processes may raise by themselves up to the hard one; -1 is none. */
  public record Ulimit(long soft, long hard) {}

  /**
   * The accelerators that it gets.
   *
   * @param nvidia by the ids that NVIDIA's tools tell
   * @param cdi by the names of the Container Device Interface; null in jobs of before
   * @param nodes device files that it sees, such as {@code /dev/kfd}
   * @param groups the numbers of the groups that may open them; an image need not know their names
   */
  public record Devices(
      List<String> nvidia, @Nullable List<String> cdi, List<String> nodes, List<String> groups) {
    public static final Devices NONE = new Devices(List.of(), List.of(), List.of());

    public Devices {
      nvidia = List.copyOf(nvidia);
      cdi = cdi == null ? List.of() : List.copyOf(cdi);
      nodes = List.copyOf(nodes);
      groups = List.copyOf(groups);
    }

    /** With none by the names of the Container Device Interface. */
    public Devices(List<String> nvidia, List<String> nodes, List<String> groups) {
      this(nvidia, List.of(), nodes, groups);
    }

    private List<String> named() {
      return Objects.requireNonNullElse(cdi, List.of());
    }

    boolean isEmpty() {
      return nvidia.isEmpty() && named().isEmpty() && nodes.isEmpty();
    }
  }

  public ContainerSpec with(Limits newLimits) {
    return new ContainerSpec(
        image,
        command,
        user,
        workingDirectory,
        environment,
        labels,
        mounts,
        newLimits,
        devices,
        network,
        ports,
        privileged,
        logKept);
  }

  /** The same with a program of the image, and nothing of ours around it, so its log is kept. */
  public ContainerSpec directly(
      List<String> newCommand, Map<String, String> newEnvironment, List<Mount> newMounts) {
    return new ContainerSpec(
        image,
        newCommand,
        user,
        workingDirectory,
        newEnvironment,
        labels,
        newMounts,
        limits,
        devices,
        network,
        ports,
        privileged,
        true);
  }

  /** The body of {@code POST /containers/create}. */
  public String json() {
    ObjectNode body = EngineJson.object();
    body.put("Image", image);
    // The image's own command would follow ours as arguments.
    words(body.putArray("Entrypoint"), command);
    body.putArray("Cmd");
    if (!user.isEmpty()) {
      body.put("User", user);
    }
    if (!workingDirectory.isEmpty()) {
      body.put("WorkingDir", workingDirectory);
    }
    ArrayNode variables = body.putArray("Env");
    environment.forEach((name, value) -> variables.add(name + "=" + value));
    // Last, so that it counts. Images ask for all GPUs, and an engine whose usual runtime is
    // NVIDIA's gives them to whoever asks.
    variables.add(
        "NVIDIA_VISIBLE_DEVICES="
            + (devices.nvidia().isEmpty() ? "void" : String.join(",", devices.nvidia())));
    ObjectNode marks = body.putObject("Labels");
    labels.forEach(marks::put);
    // Signals that an image asks for instead of TERM do not reach a job, which the runner ends.
    body.put("StopSignal", "SIGTERM");
    ObjectNode exposed = body.putObject("ExposedPorts");
    ports.forEach(port -> exposed.putObject(port.number() + "/tcp"));
    host(body.putObject("HostConfig"));
    return body.toString();
  }

  private void host(ObjectNode host) {
    host.put("NetworkMode", network);
    host.put("Privileged", privileged);
    ObjectNode restart = host.putObject("RestartPolicy");
    restart.put("Name", "no");
    ArrayNode binds = host.putArray("Mounts");
    for (Mount mount : mounts) {
      ObjectNode bind = binds.addObject();
      bind.put("Type", "bind");
      bind.put("Source", mount.source());
      bind.put("Target", mount.target());
      bind.put("ReadOnly", mount.readOnly());
    }
    if (logKept) {
      ObjectNode log = host.putObject("LogConfig");
      log.put("Type", "json-file").putObject("Config").put("max-size", ALL);
    }
    limits(host);
    devices(host);
    if (!ports.isEmpty() && !network.equals("host")) {
      ObjectNode bindings = host.putObject("PortBindings");
      for (Port port : ports) {
        ObjectNode binding = bindings.withArrayProperty(port.number() + "/tcp").addObject();
        binding.put("HostIp", "127.0.0.1");
        binding.put("HostPort", port.host() == null ? "" : String.valueOf(port.host()));
      }
    }
  }

  private void limits(ObjectNode host) {
    Double cpus = limits.cpus();
    if (cpus != null) {
      host.put("NanoCpus", Math.round(cpus * 1e9));
    }
    Long memory = limits.memoryBytes();
    if (memory != null) {
      host.put("Memory", memory);
      // As much as the memory, which means no swap: a job that needs more ends, as everywhere.
      host.put("MemorySwap", memory);
    }
    Long shm = limits.shmBytes();
    if (shm != null) {
      host.put("ShmSize", shm);
    }
    ArrayNode ulimits = host.putArray("Ulimits");
    limits
        .ulimits()
        .forEach(
            (name, limit) ->
                ulimits
                    .addObject()
                    .put("Name", name)
                    .put("Soft", limit.soft())
                    .put("Hard", limit.hard()));
  }

  private void devices(ObjectNode host) {
    if (!devices.named().isEmpty()) {
      ObjectNode request = host.putArray("DeviceRequests").addObject();
      request.put("Driver", "cdi");
      words(request.putArray("DeviceIDs"), devices.named());
    } else if (!devices.nvidia().isEmpty()) {
      ObjectNode request = host.putArray("DeviceRequests").addObject();
      request.put("Driver", "nvidia");
      words(request.putArray("DeviceIDs"), devices.nvidia());
      words(
          request.putArray("Capabilities").addArray(),
          List.of("gpu", "utility", "compute", "graphics", "video", "compat32"));
    }
    if (!devices.nodes().isEmpty()) {
      ArrayNode nodes = host.putArray("Devices");
      for (String node : devices.nodes()) {
        nodes
            .addObject()
            .put("PathOnHost", node)
            .put("PathInContainer", node)
            .put("CgroupPermissions", "rwm");
      }
      words(host.putArray("GroupAdd"), devices.groups());
      words(host.putArray("CapAdd"), List.of("SYS_PTRACE"));
      words(host.putArray("SecurityOpt"), List.of("seccomp=unconfined"));
      host.put("IpcMode", "host");
    }
  }

  private static void words(ArrayNode array, List<String> words) {
    words.forEach(array::add);
  }
}
