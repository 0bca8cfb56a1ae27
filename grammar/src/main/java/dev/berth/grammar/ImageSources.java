package dev.berth.grammar;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a container's image comes from: of four fields that say so, most exclude each other. */
record ImageSources(
    @Nullable String image,
    @Nullable String python,
    @Nullable Boolean nvcc,
    @Nullable Boolean docker) {
  static final List<String> FIELDS = List.of("image", "python", "nvcc", "docker");

  void check(Check.Findings findings) {
    boolean ownEngine = Boolean.TRUE.equals(docker);
    exclusive(image != null, "image", python != null, "python", findings);
    exclusive(ownEngine, "docker", image != null, "image", findings);
    exclusive(ownEngine, "docker", python != null, "python", findings);
    exclusive(ownEngine, "docker", Boolean.TRUE.equals(nvcc), "nvcc", findings);
  }

  private static void exclusive(
      boolean first, String firstName, boolean second, String secondName, Check.Findings findings) {
    if (first && second) {
      findings.error(
          Rule.IMAGE_SOURCES,
          secondName,
          "'" + firstName + "' and '" + secondName + "' are mutually exclusive; keep one");
    }
  }

  /** What JSON Schema can say of it. */
  static List<Map<String, Object>> schemaRules() {
    return List.of(
        SchemaRules.excludes("image", "python"),
        SchemaRules.excludesTrue("docker", "image"),
        SchemaRules.excludesTrue("docker", "python"),
        SchemaRules.excludes(SchemaRules.is("docker", true), SchemaRules.is("nvcc", true)));
  }
}
