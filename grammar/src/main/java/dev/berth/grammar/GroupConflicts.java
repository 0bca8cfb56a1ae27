package dev.berth.grammar;

import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ReplicaGroup;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.ServiceConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Fields that a service and its groups may both have, but not at once, because it would be unclear
 * which one counts.
 */
final class GroupConflicts {
  private record Shared(
      String name, Predicate<ServiceConfiguration> atService, Predicate<ReplicaGroup> inGroup) {}

  private static final List<Shared> SHARED =
      List.of(
          new Shared(
              "image", service -> run(service).image() != null, group -> group.image() != null),
          new Shared(
              "docker",
              service -> Boolean.TRUE.equals(run(service).docker()),
              group -> group.docker() != null),
          new Shared(
              "privileged",
              service -> run(service).privileged(),
              group -> group.privileged() != null),
          new Shared(
              "python", service -> run(service).python() != null, group -> group.python() != null),
          new Shared(
              "nvcc",
              service -> Boolean.TRUE.equals(run(service).nvcc()),
              group -> group.nvcc() != null),
          new Shared(
              "spot_policy",
              service -> profile(service).spotPolicy() != null,
              group -> group.spotPolicy() != null),
          new Shared(
              "reservation",
              service -> profile(service).reservation() != null,
              group -> group.reservation() != null));

  /** What a choice of image at the service rules out in its groups. */
  private static final Map<String, List<String>> IMAGE_CONFLICTS =
      Map.of(
          "image",
          List.of("docker", "python", "nvcc"),
          "docker",
          List.of("image", "python", "nvcc"),
          "python",
          List.of("image", "docker"),
          "nvcc",
          List.of("image", "docker"));

  private static final List<String> FLAGS = List.of("docker", "privileged", "nvcc");

  private GroupConflicts() {}

  static void check(ServiceConfiguration service, Check.Findings findings) {
    List<ReplicaGroup> groups = service.groups();
    if (groups == null) {
      return;
    }
    for (Shared outer : SHARED) {
      // Filled defaults are not what the user wrote, so only written fields count.
      if (!outer.atService().test(service) || !findings.isWritten(outer.name())) {
        continue;
      }
      for (Shared inner : SHARED) {
        List<String> names =
            groups.stream()
                .filter(inner.inGroup())
                .map(group -> String.valueOf(group.name()))
                .toList();
        if (areInConflict(outer, inner) && !names.isEmpty()) {
          findings.error(
              Rule.GROUP_AND_SERVICE_FIELD,
              outer.name(),
              "'"
                  + outer.name()
                  + "' of the service and '"
                  + inner.name()
                  + "' of the group(s) "
                  + Text.alternatives(names)
                  + " are mutually exclusive; keep one of them");
        }
      }
    }
  }

  /** What JSON Schema can say of these conflicts: all, but for unusual spellings of true. */
  static Map<String, Object> schemaRule() {
    List<Map<String, Object>> rules = new ArrayList<>();
    for (Shared outer : SHARED) {
      boolean isFlag = FLAGS.contains(outer.name());
      Map<String, Object> atService =
          isFlag ? SchemaRules.is(outer.name(), true) : SchemaRules.set(outer.name());
      for (Shared inner : SHARED) {
        if (areInConflict(outer, inner)) {
          rules.add(
              SchemaRules.excludes(
                  atService,
                  SchemaRules.has(
                      "groups",
                      Map.of("contains", SchemaRules.set(inner.name()), "type", "array"))));
        }
      }
    }
    return Map.of("allOf", rules);
  }

  private static boolean areInConflict(Shared outer, Shared inner) {
    return inner.name().equals(outer.name())
        || IMAGE_CONFLICTS.getOrDefault(outer.name(), List.of()).contains(inner.name());
  }

  private static RunSettings run(ServiceConfiguration service) {
    return service.run();
  }

  private static ProfileParams profile(ServiceConfiguration service) {
    return service.profile();
  }
}
