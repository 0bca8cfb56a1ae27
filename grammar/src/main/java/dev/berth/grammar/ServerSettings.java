package dev.berth.grammar;

import dev.berth.model.config.BackendDeclaration;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.model.config.ServerConfiguration.Blobs;
import dev.berth.model.config.ServerConfiguration.Database;
import dev.berth.model.config.ServerConfiguration.DefaultPermissions;
import dev.berth.model.config.ServerConfiguration.Encryption;
import dev.berth.model.config.ServerConfiguration.EncryptionKey;
import dev.berth.model.config.ServerConfiguration.EncryptionKeyType;
import dev.berth.model.config.ServerConfiguration.Limits;
import dev.berth.model.config.ServerConfiguration.Listen;
import dev.berth.model.config.ServerConfiguration.Project;
import dev.berth.model.config.ServerConfiguration.S3;
import dev.berth.model.config.Size;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The server's file: a dstack server's config.yml as it is, and Berth's own keys beside it. */
final class ServerSettings {
  private static final int AES_KEY_BYTES = 32;

  static final RecordShape<EncryptionKey> ENCRYPTION_KEY =
      RecordShape.of(EncryptionKey.class)
          .with(
              new Field<>("type", Scalars.choice(EncryptionKeyType.class), "aes or identity")
                  .required())
          .with(
              new Field<>(
                      "name",
                      Words.pattern("[\\p{L}\\p{N}]+", "letters and digits"),
                      "the name of the key")
                  .nullable())
          .with(new Field<>("secret", Scalars.TEXT, "32 bytes in base64").nullable())
          .check(List.of("type", "name", "secret"), ServerSettings::checkKey)
          .schemaRule(
              Map.of(
                  "if",
                  SchemaRules.is("type", "aes"),
                  "then",
                  Map.of(
                      "allOf",
                      List.of(
                          SchemaRules.set("name"),
                          SchemaRules.has(
                              "secret", SchemaBuilder.text("^\\s*[A-Za-z0-9+/]{43}=?\\s*$")))),
                  "else",
                  Map.of(
                      "not",
                      Map.of(
                          "anyOf", List.of(SchemaRules.set("name"), SchemaRules.set("secret"))))));

  static final RecordShape<Encryption> ENCRYPTION =
      RecordShape.of(Encryption.class)
          .with(
              new Field<>("keys", ListShape.of(ENCRYPTION_KEY), "the keys; the first one encrypts")
                  .required());

  static final RecordShape<DefaultPermissions> PERMISSIONS =
      RecordShape.of(DefaultPermissions.class)
          .with(
              new Field<>(
                      "allow_non_admins_create_projects",
                      Scalars.BOOLEAN,
                      "users may create projects")
                  .orElse(false))
          .with(
              new Field<>(
                      "allow_non_admins_manage_ssh_fleets",
                      Scalars.BOOLEAN,
                      "project members may manage SSH fleets")
                  .orElse(true))
          .with(
              new Field<>(
                      "allow_managers_manage_secrets",
                      Scalars.BOOLEAN,
                      "project managers may manage secrets")
                  .orElse(false));

  static final RecordShape<Project> PROJECT =
      RecordShape.of(Project.class)
          .with(new Field<>("name", Scalars.TEXT, "the name of the project").required())
          .with(
              new Field<>(
                      "backends", ListShape.of(new BackendShape()), "the backends of the project")
                  .nullable());

  static final RecordShape<Listen> LISTEN =
      RecordShape.of(Listen.class)
          .with(
              new Field<>("host", Words.NOT_EMPTY, "the address to listen on")
                  .nullable()
                  .filledWith("127.0.0.1"))
          .with(
              new Field<>(
                      "port",
                      Scalars.integer(0, Shorthands.MAX_PORT),
                      "the port to listen on; 0 for any free one")
                  .nullable()
                  .filledWith(3777))
          .with(
              new Field<>(
                      "public-url",
                      Words.pattern(
                          "https?://\\S+", "an address such as https://berth.example.com"),
                      "the address that jobs and people reach the server by")
                  .nullable())
          .with(
              new Field<>(
                      "own-machine",
                      Scalars.BOOLEAN,
                      "whether runs may use the server's own machine")
                  .nullable()
                  .filledWith(true))
          .with(
              new Field<>(
                      "trusted-proxies",
                      ListShape.of(Addresses.NETWORK, 1, 100),
                      "proxies that tell where requests come from, with X-Forwarded-For")
                  .nullable());

  static final RecordShape<Database> DATABASE =
      RecordShape.of(Database.class)
          .with(
              new Field<>(
                      "url",
                      Words.pattern(
                          "(jdbc:)?postgres(ql)?://\\S+",
                          "an address such as postgresql://berth@db.example.com/berth"),
                      "the address of a PostgreSQL database")
                  .required())
          .with(
              new Field<>(
                      "password-file", Words.NOT_EMPTY, "a file whose first line is the password")
                  .nullable());

  static final RecordShape<S3> S3_BUCKET =
      RecordShape.of(S3.class)
          .with(new Field<>("bucket", Words.NOT_EMPTY, "the name of the bucket").required())
          .with(new Field<>("prefix", Words.NOT_EMPTY, "what all keys begin with").nullable())
          .with(
              new Field<>("region", Words.NOT_EMPTY, "the region of the bucket")
                  .nullable()
                  .filledWith("us-east-1"))
          .with(
              new Field<>(
                      "endpoint",
                      Words.pattern("https?://\\S+", "an address such as https://s3.example.com"),
                      "the address of a store that is not Amazon's")
                  .nullable())
          .with(
              new Field<>(
                      "path-style",
                      Scalars.BOOLEAN,
                      "whether the bucket stands in the path, not in the host's name")
                  .nullable()
                  .filledWith(false))
          .with(
              new Field<>(
                      "access-key",
                      Words.NOT_EMPTY,
                      "who asks; otherwise the environment or the machine says so")
                  .nullable())
          .with(
              new Field<>(
                      "secret-key-file",
                      Words.NOT_EMPTY,
                      "a file whose first line is the secret of the access key")
                  .nullable());

  static final RecordShape<Blobs> BLOBS =
      RecordShape.of(Blobs.class)
          .with(
              new Field<>("folder", Words.NOT_EMPTY, "a folder that all servers share").nullable())
          .with(new Field<>("s3", S3_BUCKET, "a bucket of an S3-compatible store").nullable())
          .check(
              List.of("folder", "s3"),
              (value, findings) -> {
                if ((value.folder() == null) == (value.s3() == null)) {
                  findings.error(Rule.BLOBS, "folder", "name either a 'folder' or an 's3' bucket");
                }
              })
          .schemaRule(Map.of("oneOf", List.of(SchemaRules.set("folder"), SchemaRules.set("s3"))));

  static final RecordShape<Limits> LIMITS =
      RecordShape.of(Limits.class)
          .with(
              new Field<>(
                      "runs-per-user",
                      Scalars.integer(1, Integer.MAX_VALUE),
                      "how many runs of one user may be active at once")
                  .nullable()
                  .orElse(Limits.USUAL.runsPerUser()))
          .with(
              new Field<>(
                      "runs-per-project",
                      Scalars.integer(1, Integer.MAX_VALUE),
                      "how many runs of one project may be active at once")
                  .nullable()
                  .orElse(Limits.USUAL.runsPerProject()));

  static final RecordShape<ServerConfiguration> SERVER =
      RecordShape.of(ServerConfiguration.class)
          .with(
              new Field<>("projects", ListShape.of(PROJECT), "the projects")
                  .nullable()
                  .orElse(List.of()))
          .with(new Field<>("encryption", ENCRYPTION, "how secrets are encrypted").nullable())
          .with(new Field<>("default_permissions", PERMISSIONS, "what users may do").nullable())
          .with(new Field<>("plugins", Profiles.TEXTS, "server-side plug-ins").nullable())
          .with(new Field<>("server", LISTEN, "where the server listens").nullable())
          .with(new Field<>("database", DATABASE, "where the state is kept").nullable())
          .with(new Field<>("blobs", BLOBS, "where uploads are kept").nullable())
          .with(
              new Field<>("upload-limit", Sizes.SIZE, "how large one upload may be")
                  .nullable()
                  .filledWith(Size.gib(2)))
          .with(
              new Field<>("retention", RetentionSettings.RETENTION, "for how long things are kept")
                  .nullable())
          .with(
              new Field<>(
                      "catalog",
                      CatalogSettings.CATALOG,
                      "where prices come from while no catalog is imported; off for nowhere")
                  .nullable())
          .with(
              new Field<>("default-image", Words.NOT_EMPTY, "the image of runs that name none")
                  .nullable())
          .with(
              new Field<>(
                      "python-image",
                      Words.NOT_EMPTY,
                      "the image of runs with 'python'; {version} stands for the version")
                  .nullable())
          .with(
              new Field<>("nvcc-image", Words.NOT_EMPTY, "the image of runs with 'nvcc'")
                  .nullable())
          .with(
              new Field<>("docker-image", Words.NOT_EMPTY, "the image of runs with 'docker'")
                  .nullable())
          .with(
              new Field<>("metrics", ObservationSettings.METRICS, "who may read the metrics")
                  .nullable())
          .with(new Field<>("log", ObservationSettings.LOG, "what the log looks like").nullable())
          .with(
              new Field<>(
                      "webhooks",
                      ListShape.of(ObservationSettings.WEBHOOK),
                      "who is told of events")
                  .nullable())
          .with(
              new Field<>("traces", ObservationSettings.TRACES, "where traces are sent").nullable())
          .with(
              new Field<>("oidc", OidcSettings.OIDC, "the identity provider to log in with")
                  .nullable())
          .with(new Field<>("policies", Policies.RULES, "what may be run").nullable())
          .with(new Field<>("limits", LIMITS, "how many runs may be active at once").nullable())
          .check(List.of("webhooks"), ObservationSettings::checkNames)
          .check(List.of("policies"), Policies::checkNames)
          .check(
              List.of("projects"),
              (value, findings) -> {
                Set<String> names = new HashSet<>();
                for (Project project : value.projects()) {
                  if (!names.add(project.name())) {
                    findings.error(
                        Rule.PROJECT_NAMES,
                        "projects",
                        "the project '"
                            + Text.abbreviate(project.name())
                            + "' is defined twice; merge the two");
                  }
                }
              })
          .removed(
              "backends",
              "write backends under a project, such as projects: [{name: main, backends: [...]}]");

  private ServerSettings() {}

  private static void checkKey(EncryptionKey key, Check.Findings findings) {
    if (key.type() == EncryptionKeyType.IDENTITY) {
      if (key.name() != null || key.secret() != null) {
        findings.error(
            Rule.ENCRYPTION_KEY,
            key.secret() != null ? "secret" : "name",
            "a key of type identity has no name and no secret");
      }
      return;
    }
    String secret = key.secret();
    if (key.name() == null || secret == null) {
      findings.error(Rule.ENCRYPTION_KEY, "type", "a key of type aes needs 'name' and 'secret'");
    } else if (bytesOf(secret) != AES_KEY_BYTES) {
      findings.error(
          Rule.ENCRYPTION_KEY,
          "secret",
          "the secret must be 32 bytes in base64; make one with: head -c 32 /dev/urandom | base64");
    }
  }

  private static int bytesOf(String base64) {
    try {
      return Base64.getDecoder().decode(base64.strip()).length;
    } catch (IllegalArgumentException notBase64) {
      return -1;
    }
  }

  /** A backend: its type, optionally a name of its own, and settings that its plug-in judges. */
  private static final class BackendShape implements Shape<BackendDeclaration> {
    @Override
    public @Nullable BackendDeclaration read(Node node, Reading reading) {
      Map<String, Object> tree = Maps.TREE.read(node, reading);
      if (tree == null) {
        return null;
      }
      Map<String, Object> settings = new LinkedHashMap<>(tree);
      Object type = settings.remove("type");
      Object name = settings.remove("name");
      if (!(type instanceof String typeName)) {
        reading
            .field("type")
            .error(
                Rule.FIELD_REQUIRED, node, "the field 'type' is required: the type of the backend");
        return null;
      }
      return new BackendDeclaration(typeName, name == null ? null : String.valueOf(name), settings);
    }

    @Override
    public Object write(BackendDeclaration value) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("type", value.type());
      String name = value.name();
      if (name != null) {
        tree.put("name", name);
      }
      tree.putAll(value.settings());
      return tree;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return Map.of(
          "type",
          "object",
          "required",
          List.of("type"),
          "properties",
          Map.of("type", Map.of("type", "string"), "name", Map.of("type", "string")));
    }
  }
}
