package dev.berth.hosts.container;

import dev.berth.spi.Marks;
import java.util.LinkedHashMap;
import java.util.Map;

/** The marks by which containers of ours are known. */
final class DockerLabels {
  /** Which backend of an installation it belongs to: several may use one engine. */
  static final String BACKEND = "berth-backend";

  private DockerLabels() {}

  static Map<String, String> of(DockerHost host, String attemptId) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(Marks.OWNER, host.owner().installation());
    labels.put(Marks.KEY, attemptId);
    labels.put(BACKEND, mark(host));
    return labels;
  }

  /** Tells our containers from all others at the engine. */
  static String mark(DockerHost host) {
    return host.owner().installation() + "/" + host.backend();
  }
}
