package dev.berth.backends.docker;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.MachineStreams;
import dev.berth.hosts.container.DockerHost;
import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.hosts.docker.EngineAddress;
import dev.berth.hosts.docker.UnixEngine;
import dev.berth.hosts.images.ImageRetention;
import dev.berth.model.config.Size;
import dev.berth.spi.BackendException;
import dev.berth.spi.config.ConfigProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads settings into what the engine takes, and says which of them are wrong. */
final class EngineSettings {
  private static final String DEFAULT_HOST = "unix:///var/run/docker.sock";
  private static final String SCHEME = "unix://";
  private static final Pattern ULIMIT = Pattern.compile("(-1|[0-9]{1,18})(?::(-1|[0-9]{1,18}))?");

  private static final Set<String> ULIMITS =
      new TreeSet<>(
          List.of(
              "core",
              "cpu",
              "data",
              "fsize",
              "locks",
              "memlock",
              "msgqueue",
              "nice",
              "nofile",
              "nproc",
              "rss",
              "rtprio",
              "rttime",
              "sigpending",
              "stack"));

  private EngineSettings() {}

  /**
   * Where the engine listens.
   *
   * @param environment the server's
   * @param streams the way to what listens on the engine's machine
   * @throws BackendException.BadConfig where it is not written as it should be
   */
  static EngineAddress address(
      DockerSettings settings, Map<String, String> environment, MachineStreams streams) {
    String host = settings.host();
    String variable = environment.getOrDefault("DOCKER_HOST", "");
    String text = host != null ? host : variable.isBlank() ? DEFAULT_HOST : variable;
    String path = text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : "";
    try {
      if (path.startsWith("/")) {
        return new UnixEngine(streams, MachinePath.of(path));
      }
    } catch (HostException unusable) {
      throw new BackendException.BadConfig(
          "host", "must be the path of a socket, not '" + text + "'");
    }
    throw new BackendException.BadConfig(
        "host",
        "must be the socket of an engine, as in %s, not '%s'%s"
            .formatted(
                DEFAULT_HOST, text, host == null ? ", which is what DOCKER_HOST contains" : ""));
  }

  /**
   * What all containers get.
   *
   * @throws BackendException.BadConfig with each ulimit that is not written as it should be
   */
  static DockerHost.Defaults defaults(DockerSettings settings) {
    Map<String, ContainerSpec.Ulimit> ulimits = new LinkedHashMap<>();
    List<ConfigProblem> problems = new ArrayList<>();
    settings
        .ulimits()
        .forEach(
            (name, text) -> {
              ContainerSpec.Ulimit limit = ulimit(text);
              String problem = problem(name, text, limit);
              if (problem != null) {
                problems.add(new ConfigProblem("ulimits." + name, problem));
              } else if (limit != null) {
                ulimits.put(name, limit);
              }
            });
    if (!problems.isEmpty()) {
      throw new BackendException.BadConfig(problems);
    }
    Size shm = settings.shmSize();
    return new DockerHost.Defaults(
        settings.network(), shm == null ? null : Long.valueOf(shm.mib() << 20), ulimits);
  }

  static ImageRetention images(DockerSettings settings) {
    Size space = settings.imageSpace();
    return new ImageRetention(settings.imageAge(), space == null ? 0 : space.mib() << 20);
  }

  /** What is wrong with a limit; null where nothing is. */
  private static @Nullable String problem(
      String name, String text, ContainerSpec.@Nullable Ulimit limit) {
    if (!ULIMITS.contains(name)) {
      return "is no limit that engines know; they know " + String.join(", ", ULIMITS);
    }
    if (limit == null) {
      return "must be a number or SOFT:HARD, where -1 is no limit, not '" + text + "'";
    }
    boolean isAbove = limit.soft() == -1 || limit.soft() > limit.hard();
    return limit.hard() != -1 && isAbove
        ? "the soft limit must not be above the hard one, as it is in '" + text + "'"
        : null;
  }

  private static ContainerSpec.@Nullable Ulimit ulimit(String text) {
    Matcher parts = ULIMIT.matcher(text.strip());
    if (!parts.matches()) {
      return null;
    }
    long soft = Long.parseLong(parts.group(1));
    return new ContainerSpec.Ulimit(
        soft, parts.group(2) == null ? soft : Long.parseLong(parts.group(2)));
  }
}
