package dev.berth.grammar;

import dev.berth.model.config.MountPoint;
import dev.berth.model.config.MountPoint.InstanceMount;
import dev.berth.model.config.MountPoint.VolumeMount;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Mounts: {@code volume:/path}, {@code /host:/path}, or a mapping of either kind. */
final class Mounts implements Shape<MountPoint> {
  static final Mounts MOUNT = new Mounts();

  static final RecordShape<VolumeMount> VOLUME =
      RecordShape.of(VolumeMount.class)
          .with(
              new Field<>(
                      "name", new VolumeNames(), "the volume, or several of which any one is taken")
                  .required())
          .with(new Field<>("path", Scalars.TEXT, "the absolute path in the job").required())
          .check(List.of("path"), (value, findings) -> checkPath("path", value.path(), findings))
          .schemaRule(absolute("path"));

  static final RecordShape<InstanceMount> INSTANCE =
      RecordShape.of(InstanceMount.class)
          .with(
              new Field<>("instance_path", Scalars.TEXT, "the absolute path on the machine")
                  .required())
          .with(new Field<>("path", Scalars.TEXT, "the absolute path in the job").required())
          .with(
              new Field<>(
                      "optional",
                      Scalars.BOOLEAN,
                      "run without it where machines have no such folders")
                  .orElse(false))
          .check(List.of("path"), (value, findings) -> checkPath("path", value.path(), findings))
          .check(
              List.of("instance_path"),
              (value, findings) -> checkPath("instance_path", value.instancePath(), findings))
          .schemaRule(absolute("path"))
          .schemaRule(absolute("instance_path"));

  private static final String PATH = "/(?!\\.\\.(/|$))(?!.*/\\.\\.(/|$)).*";

  private Mounts() {}

  @Override
  public @Nullable MountPoint read(Node node, Reading reading) {
    return switch (node) {
      case Node.Scalar scalar -> line(scalar, reading);
      case Node.Mapping mapping when mapping.entries().containsKey("instance_path") ->
          INSTANCE.read(node, reading);
      default -> VOLUME.read(node, reading);
    };
  }

  private static @Nullable MountPoint line(Node.Scalar scalar, Reading reading) {
    String[] parts = scalar.text().split(":", 3);
    if (parts.length != 2 || parts[0].isEmpty()) {
      reading.error(
          Rule.MOUNT_SYNTAX,
          scalar,
          "expected volume:/path or /host/path:/path, found " + scalar.kindName());
      return null;
    }
    boolean instance = parts[0].contains("/");
    String complaint =
        instance && complaint(parts[0]) != null ? complaint(parts[0]) : complaint(parts[1]);
    if (complaint != null) {
      reading.error(Rule.MOUNT_PATH, scalar, complaint);
      return null;
    }
    return instance
        ? new InstanceMount(parts[0], parts[1], false)
        : new VolumeMount(List.of(parts[0]), parts[1]);
  }

  private static void checkPath(String field, String path, Check.Findings findings) {
    String complaint = complaint(path);
    if (complaint != null) {
      findings.error(Rule.MOUNT_PATH, field, complaint);
    }
  }

  private static @Nullable String complaint(String path) {
    if (!path.startsWith("/")) {
      return "a mount path must be absolute, found '" + Text.abbreviate(path) + "'";
    }
    return (path + "/").contains("/../") ? "'..' is not allowed in a mount path" : null;
  }

  private static Map<String, Object> absolute(String field) {
    return Map.of("properties", Map.of(field, Map.of("pattern", "^" + PATH + "$")));
  }

  @Override
  public List<? extends Shape<?>> parts() {
    return List.of(VOLUME, INSTANCE);
  }

  @Override
  public @Nullable Object write(MountPoint value) {
    return switch (value) {
      case VolumeMount volume -> VOLUME.write(volume);
      case InstanceMount instance -> INSTANCE.write(instance);
    };
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    return SchemaBuilder.anyOf(
        List.of(
            SchemaBuilder.text(
                "^([^/:]+|"
                    + PATH.replace(".*", "[^:]*")
                    + "):"
                    + PATH.replace(".*", "[^:]*")
                    + "$"),
            VOLUME.schema(schemas),
            INSTANCE.schema(schemas)));
  }

  /** One volume name or several. */
  private static final class VolumeNames implements Shape<List<String>> {
    private static final Shape<List<String>> LIST =
        ListShape.of(Scalars.TEXT, 1, Integer.MAX_VALUE);

    @Override
    public @Nullable List<String> read(Node node, Reading reading) {
      return node instanceof Node.Scalar scalar ? List.of(scalar.text()) : LIST.read(node, reading);
    }

    @Override
    public @Nullable Object write(List<String> value) {
      return value.size() == 1 ? value.getFirst() : value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(List.of(Scalars.TEXT.schema(schemas), LIST.schema(schemas)));
    }
  }
}
