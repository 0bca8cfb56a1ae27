package dev.berth.grammar;

import dev.berth.model.config.EntityReference;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.RepoSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Mappings that may also be written in one line. */
final class Shorthands {
  static final int MAX_PORT = 65535;
  private static final Shape<Integer> PORT_NUMBER = Scalars.integer(1, MAX_PORT);
  private static final Shape<String> DIGEST =
      Words.pattern("[0-9a-f]{64}", "64 hexadecimal digits");

  static final RecordShape<PortMapping> PORT_RECORD =
      RecordShape.of(PortMapping.class)
          .with(
              new Field<>(
                      "local_port",
                      PORT_NUMBER,
                      "the port on the user's machine; without it any free one")
                  .component("local")
                  .nullable()
                  .normalised("local"))
          .with(
              new Field<>("container_port", PORT_NUMBER, "the port of the job")
                  .component("container")
                  .required()
                  .normalised("container"));

  /** A forwarded port: {@code 8080}, {@code 80:8080}, {@code *:8080}. */
  static final Shape<PortMapping> PORT =
      new OneLine<>(
          PORT_RECORD, portLine(), (text, node, reading) -> port(text, null, node, reading));

  /** The port of a service: forwarded from 80 unless something else is written. */
  static final Shape<PortMapping> SERVICE_PORT =
      new OneLine<>(
          PORT_RECORD, portLine(), (text, node, reading) -> port(text, 80, node, reading));

  static final RecordShape<FileMapping> FILE_RECORD =
      RecordShape.of(FileMapping.class)
          .with(
              new Field<>(
                      "local_path",
                      Scalars.TEXT,
                      "the path on the user's machine, relative to the file")
                  .required())
          .with(
              new Field<>(
                      "path",
                      Scalars.TEXT,
                      "the path in the job, relative to the working directory")
                  .required())
          .with(
              new Field<>("archive", DIGEST, "the upload that holds it; commands fill it in")
                  .nullable())
          .check(
              List.of("path"),
              (value, findings) -> {
                if (isWindowsPath(value.path())) {
                  findings.error(
                      Rule.FILE_TARGET,
                      "path",
                      "the path in the job must be a Unix path, found '"
                          + Text.abbreviate(value.path())
                          + "'");
                }
              })
          .schemaRule(
              Map.of(
                  "properties",
                  Map.of(
                      "path",
                      Map.of(
                          "not",
                          Map.of("pattern", "^([a-zA-Z]:[\\\\/]|\\\\\\\\|//[^/]+/+[^/])")))));

  /** A file or folder: {@code local} or {@code local:target}. */
  static final Shape<FileMapping> FILE =
      new OneLine<>(
          FILE_RECORD,
          word(
              "^(?!(.*:)?([a-zA-Z]:[\\\\/]|\\\\\\\\|//[^/:]+/+[^/:])[^:]*$)"
                  + "([a-zA-Z]:[\\\\/])?[^:]*(:[^:]*)?$"),
          Shorthands::file);

  static final RecordShape<RepoSpec> REPO_RECORD =
      RecordShape.of(RepoSpec.class)
          .with(
              new Field<>("local_path", Scalars.TEXT, "the repository on the user's machine")
                  .nullable())
          .with(new Field<>("url", Scalars.TEXT, "the address of the repository").nullable())
          .with(
              new Field<>("branch", Scalars.TEXT, "the branch; the active or default one otherwise")
                  .nullable())
          .with(new Field<>("hash", Scalars.TEXT, "the commit").nullable())
          .with(new Field<>("path", Scalars.TEXT, "where the job finds it").orElse("."))
          .with(
              new Field<>(
                      "if_exists",
                      Scalars.choice(RepoSpec.IfExists.class),
                      "what to do where the path is not empty: error or skip")
                  .orElse(RepoSpec.IfExists.ERROR))
          .with(
              new Field<>(
                      "changes",
                      DIGEST,
                      "the upload that holds your changes to the commit; commands fill it in")
                  .nullable())
          .with(
              new Field<>(
                      "token",
                      Scalars.TEXT,
                      "the password or token for an http address, as ${{ secrets.NAME }} or"
                          + " USER:${{ secrets.NAME }}")
                  .nullable())
          .with(
              new Field<>(
                      "ssh_key",
                      Scalars.TEXT,
                      "the private key for an SSH address, as ${{ secrets.NAME }}")
                  .nullable())
          .check(
              List.of("token", "ssh_key"),
              (value, findings) -> {
                secret(value.token(), "token", findings);
                secret(value.sshKey(), "ssh_key", findings);
              })
          .check(
              List.of("local_path", "url"),
              (value, findings) -> {
                boolean local = value.localPath() != null && !value.localPath().isEmpty();
                boolean remote = value.url() != null && !value.url().isEmpty();
                if (local == remote) {
                  findings.error(
                      Rule.REPO_SOURCE,
                      "url",
                      local
                          ? "'local_path' and 'url' are mutually exclusive; keep one"
                          : "either 'local_path' or 'url' is required");
                }
              })
          .check(
              List.of("path"),
              (value, findings) -> {
                if (isHomeOfOther(value.path())) {
                  findings.error(
                      Rule.REPO_PATH,
                      "path",
                      "'~name' is not supported; write ~/... or an absolute path");
                }
              })
          .schemaRule(Map.of("oneOf", List.of(needsValue("local_path"), needsValue("url"))))
          .schemaRule(
              Map.of("properties", Map.of("path", Map.of("not", Map.of("pattern", "^~[^/]")))));

  /** A repository: a folder or an address, and optionally {@code :path}. */
  static final Shape<RepoSpec> REPO =
      new OneLine<>(
          REPO_RECORD,
          word(
              "^(?!.*:~[^/])([^:]*@[^:]*:[^:]*|[^:]*://[^:]*|[^:]*://[^/:]*:[0-9]{1,5}(/[^:]*)?"
                  + "|[a-zA-Z]:[\\\\/][^:]*|[^:]+)(:[^:]*)?$"),
          Shorthands::repo);

  static final RecordShape<EntityReference> REFERENCE_RECORD =
      RecordShape.of(EntityReference.class)
          .with(new Field<>("project", Scalars.TEXT, "the project; this one otherwise").nullable())
          .with(new Field<>("name", Scalars.TEXT, "the name").required());

  /** A thing of this or another project: {@code name} or {@code project/name}. */
  static final Shape<EntityReference> REFERENCE =
      new OneLine<>(REFERENCE_RECORD, word("^[^/]+(/[^/]+)?$"), Shorthands::reference);

  private static final Pattern PORT_SYNTAX =
      Pattern.compile("\\s*(?:([0-9]{1,5}|\\*):)?([0-9]{1,5})\\s*");

  private Shorthands() {}

  /** One line of text; YAML may take it for a number or a boolean. */
  static Map<String, Object> word(String pattern) {
    return Map.of("type", List.of("string", "number", "boolean"), "pattern", pattern);
  }

  private static Map<String, Object> portLine() {
    String port =
        "0*([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
    return SchemaBuilder.anyOf(
        List.of(
            Map.of("type", "integer", "minimum", 1, "maximum", MAX_PORT),
            SchemaBuilder.text(
                "^\\s*(((" + port + "|\\*):)?" + port + "|\\+?[1-9][0-9]*_[0-9_]+)\\s*$")));
  }

  static Map<String, Object> needsValue(String field) {
    return Map.of(
        "required",
        List.of(field),
        "properties",
        Map.of(field, Map.of("type", "string", "minLength", 1)));
  }

  private static @Nullable PortMapping port(
      String text, @Nullable Integer localOtherwise, Node node, Reading reading) {
    Matcher matcher = PORT_SYNTAX.matcher(text);
    boolean mapped = matcher.matches();
    Long number = mapped ? Long.valueOf(matcher.group(2)) : Scalars.parseInteger(text);
    if (number == null) {
      reading.error(
          Rule.PORT_SYNTAX,
          node,
          "expected a port such as 8080, 80:8080 or *:8080, found " + node.kindName());
      return null;
    }
    String left = mapped ? matcher.group(1) : null;
    boolean inBounds = number >= 1 && number <= MAX_PORT;
    int container = inBounds ? Math.toIntExact(number) : 0;
    Integer local =
        left == null
            ? (localOtherwise == null ? Integer.valueOf(container) : localOtherwise)
            : left.equals("*") ? null : Integer.valueOf(left);
    if (!inBounds || (local != null && (local < 1 || local > MAX_PORT))) {
      reading.error(
          Rule.NUMBER_BOUNDS,
          node,
          "a port is a number from 1 to " + MAX_PORT + ", found " + node.kindName());
      return null;
    }
    return new PortMapping(local, container);
  }

  private static @Nullable FileMapping file(String text, Node node, Reading reading) {
    List<String> parts = withDriveJoined(text);
    if (parts.size() > 2) {
      reading.error(
          Rule.FILE_SYNTAX, node, "expected a path or local:target, found " + node.kindName());
      return null;
    }
    FileMapping mapping = new FileMapping(parts.getFirst(), parts.getLast());
    if (isWindowsPath(mapping.path())) {
      reading.error(
          Rule.FILE_TARGET,
          node,
          parts.getFirst().matches("https?")
              ? "files are taken from your machine, not from an address; fetch it in a command"
              : "the path in the job must be a Unix path; write local:target with a target such as"
                  + " /data");
      return null;
    }
    return mapping;
  }

  private static @Nullable RepoSpec repo(String text, Node node, Reading reading) {
    String[] colons = text.split(":", 6);
    boolean remote = colons.length > 1 && (colons[0].contains("@") || colons[1].startsWith("//"));
    List<String> parts =
        remote ? joinedFirst(hasPort(colons) ? 3 : 2, colons) : withDriveJoined(text);
    if (parts.size() > 2 || parts.getFirst().isEmpty()) {
      reading.error(
          Rule.REPO_SYNTAX,
          node,
          "expected a folder or an address, optionally with :path, found " + node.kindName());
      return null;
    }
    String source = parts.getFirst();
    String path = parts.size() == 2 ? parts.get(1) : ".";
    if (isHomeOfOther(path)) {
      reading.error(
          Rule.REPO_PATH, node, "'~name' is not supported; write ~/... or an absolute path");
      return null;
    }
    return new RepoSpec(
        remote ? null : source,
        remote ? source : null,
        null,
        null,
        path,
        RepoSpec.IfExists.ERROR,
        null,
        null,
        null);
  }

  private static void secret(@Nullable String text, String field, Check.Findings findings) {
    if (text != null) {
      Interpolation.check(
          text, Interpolation.Place.CREDENTIALS, findings.node(field), findings.at(field));
    }
  }

  static @Nullable EntityReference reference(String text, Node node, Reading reading) {
    String[] parts = text.split("/", 3);
    if (parts.length > 2 || List.of(parts).contains("")) {
      reading.error(
          Rule.REFERENCE_SYNTAX, node, "expected name or project/name, found " + node.kindName());
      return null;
    }
    return parts.length == 1
        ? new EntityReference(null, parts[0])
        : new EntityReference(parts[0], parts[1]);
  }

  /** Splits at colons, but keeps a Windows drive such as C:\ in one piece. */
  private static List<String> withDriveJoined(String text) {
    String[] parts = text.split(":", 6);
    boolean drive =
        parts.length > 1
            && parts[0].matches("[a-zA-Z]")
            && (parts[1].startsWith("\\") || parts[1].startsWith("/"));
    return drive ? joinedFirst(2, parts) : List.of(parts);
  }

  /** Whether the second colon of an address comes before a port. */
  private static boolean hasPort(String[] parts) {
    return parts.length > 2
        && parts[1].matches("//[^/]*")
        && parts[2].matches("(?s)[0-9]{1,5}(/.*)?");
  }

  private static List<String> joinedFirst(int count, String[] parts) {
    List<String> all = List.of(parts);
    List<String> joined = new ArrayList<>();
    joined.add(String.join(":", all.subList(0, count)));
    joined.addAll(all.subList(count, parts.length));
    return joined;
  }

  private static boolean isWindowsPath(String path) {
    return path.matches("(?s)[a-zA-Z]:[\\\\/].*|\\\\\\\\.*|//[^/]+/+[^/].*");
  }

  private static boolean isHomeOfOther(String path) {
    return path.startsWith("~") && !path.equals("~") && !path.startsWith("~/");
  }

  interface LineReader<R> {
    @Nullable R read(String text, Node node, Reading reading);
  }

  /** A record with a one-line form for people; the normalised form is always the mapping. */
  record OneLine<R extends Record>(
      RecordShape<R> mapping, Map<String, Object> lineSchema, LineReader<R> line)
      implements Shape<R> {
    @Override
    public @Nullable R read(Node node, Reading reading) {
      return node instanceof Node.Scalar scalar
          ? line.read(scalar.text(), node, reading)
          : mapping.read(node, reading);
    }

    @Override
    public List<? extends Shape<?>> parts() {
      return List.of(mapping);
    }

    @Override
    public @Nullable Object write(R value) {
      return mapping.write(value);
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(List.of(lineSchema, mapping.schema(schemas)));
    }
  }
}
