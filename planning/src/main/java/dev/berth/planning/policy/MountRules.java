package dev.berth.planning.policy;

import dev.berth.model.Wildcards;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What policies say of folders of the machine that runs mount. Whoever mounts the root folder or
 * the socket of an engine is root there, so that mounts are as much as privileged containers.
 */
final class MountRules {
  private MountRules() {}

  static boolean namesFolders(PolicyRule rule) {
    return !rule.allowed().volumes().isEmpty();
  }

  /**
   * Why a rule does not let a run have its mounts; empty where it does.
   *
   * @param folders whether some rule names the folders that may be mounted, so that one that only
   *     wants no privileged containers leaves them to that one
   */
  static Optional<String> refusal(PolicyRule rule, RunSettings run, boolean folders) {
    return run.volumes().stream()
        .filter(MountPoint.InstanceMount.class::isInstance)
        .map(MountPoint.InstanceMount.class::cast)
        .flatMap(mount -> refusal(rule, mount.instancePath(), folders).stream())
        .findFirst();
  }

  private static Optional<String> refusal(PolicyRule rule, String path, boolean folders) {
    if (rule.denied().volumes()) {
      return Optional.of("host folders may not be mounted: '" + path + "'");
    }
    if (namesFolders(rule)) {
      return isAllowed(rule.allowed().volumes(), path)
          ? Optional.empty()
          : Optional.of(
              "the folder '"
                  + path
                  + "' is not allowed; allowed are "
                  + String.join(", ", rule.allowed().volumes()));
    }
    return rule.denied().privileged() && !folders
        ? Optional.of(
            "containers may not be privileged, and mounting the folder '"
                + path
                + "' of the machine would amount to that; a policy can allow folders")
        : Optional.empty();
  }

  private static boolean isAllowed(List<String> patterns, String path) {
    Optional<String> plain = plain(path);
    return plain.isPresent()
        && patterns.stream()
            .anyMatch(
                pattern ->
                    Wildcards.matchesExactly(pattern, plain.get())
                        // A folder means itself, however its end is written.
                        || pattern.equals(plain.get() + "/"));
  }

  /** A path without what changes nothing; empty where it climbs, which no pattern can follow. */
  private static Optional<String> plain(String path) {
    List<String> names = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      if (name.equals("..")) {
        return Optional.empty();
      }
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    return Optional.of("/" + String.join("/", names));
  }
}
