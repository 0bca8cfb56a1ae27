package dev.berth.model.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server's own file: what a dstack server's config.yml says, and Berth's additions. */
public record ServerConfiguration(
    List<Project> projects,
    @Nullable Encryption encryption,
    @Nullable DefaultPermissions defaultPermissions,
    @Nullable List<String> plugins,
    @Nullable Listen server,
    @Nullable Database database,
    @Nullable Blobs blobs,
    @Nullable Size uploadLimit,
    @Nullable Retention retention,
    @Nullable Catalog catalog,
    @Nullable String defaultImage,
    @Nullable String pythonImage,
    @Nullable String nvccImage,
    @Nullable String dockerImage,
    @Nullable Metrics metrics,
    @Nullable Log log,
    @Nullable List<Webhook> webhooks,
    @Nullable Traces traces,
    @Nullable Oidc oidc,
    @Nullable List<PolicyRule> policies,
    @Nullable Limits limits)
    implements Configuration {
  public ServerConfiguration {
    projects = List.copyOf(projects);
  }

  /**
   * The catalog that is fetched where none was imported.
   *
   * @param url the root of a mirror in gpuhunt's layout, or off; null for gpuhunt's own
   * @param refresh how old it may become; null for a day
   */
  public record Catalog(@Nullable String url, @Nullable Duration refresh) {}

  /**
   * For how long the server keeps what nobody needs any more.
   *
   * @param events what happened
   * @param idempotencyKeys what requests with a key were answered
   * @param finishedActions what was done at providers
   */
  public record Retention(Duration events, Duration idempotencyKeys, Duration finishedActions) {
    public static final Retention USUAL =
        new Retention(Duration.ofDays(90), Duration.ofDays(7), Duration.ofDays(30));
  }

  /**
   * How many runs may be active at once, those that wait to start among them.
   *
   * @param runsPerUser of one user, in all projects
   * @param runsPerProject of one project, by all users
   */
  public record Limits(int runsPerUser, int runsPerProject) {
    public static final Limits USUAL = new Limits(10_000, 20_000);
  }

  /** Whether anybody may read the server's metrics, without a token. */
  public record Metrics(boolean withoutToken, @Nullable Boolean jobs) {}

  /** What the server's log looks like; null for what is usual. */
  public record Log(@Nullable LogFormat format, @Nullable LogLevel level) {}

  public enum LogFormat {
    TEXT,
    JSON
  }

  public enum LogLevel {
    ERROR,
    WARNING,
    INFO,
    DEBUG
  }

  /**
   * Somebody who is told of events.
   *
   * @param secretFile a file whose first line signs what is sent
   * @param events kinds of events, where a star stands for anything; null for all
   * @param projects null for all, and for what concerns no project
   */
  public record Webhook(
      String name,
      String url,
      String secretFile,
      @Nullable List<String> events,
      @Nullable List<String> projects) {
    /** The address may hold a secret. */
    @Override
    public String toString() {
      return "Webhook[name=" + name + ", url=***]";
    }
  }

  /**
   * Where traces are sent.
   *
   * @param endpoint the address of a collector that speaks OTLP over HTTP
   * @param sample the part of all traces that is sent; null for all
   * @param headersFile a file with a header on each line, which may hold credentials
   */
  public record Traces(String endpoint, @Nullable Double sample, @Nullable String headersFile) {}

  public record Project(String name, @Nullable List<BackendDeclaration> backends) {}

  public record Encryption(List<EncryptionKey> keys) {
    public Encryption {
      keys = List.copyOf(keys);
    }
  }

  /** A key that secrets are encrypted with; identity stores them as they are. */
  public record EncryptionKey(
      EncryptionKeyType type, @Nullable String name, @Nullable String secret) {
    @Override
    public String toString() {
      return "EncryptionKey[type=" + type + ", name=" + name + ", secret=***]";
    }
  }

  public enum EncryptionKeyType {
    IDENTITY,
    AES
  }

  public record DefaultPermissions(
      boolean allowNonAdminsCreateProjects,
      boolean allowNonAdminsManageSshFleets,
      boolean allowManagersManageSecrets) {}

  /**
   * The PostgreSQL database that keeps the state, where it is not a file in the server's home.
   *
   * @param passwordFile a file whose first line is the password
   */
  public record Database(String url, @Nullable String passwordFile) {
    /** The address may hold a password. */
    @Override
    public String toString() {
      return "Database[url=***, passwordFile=" + passwordFile + "]";
    }
  }

  /**
   * Where uploads are kept, where it is not a folder in the server's home. One of the two is set.
   */
  public record Blobs(@Nullable String folder, @Nullable S3 s3) {}

  /**
   * A bucket of an object store.
   *
   * @param secretKeyFile a file whose first line is the secret of the access key
   */
  public record S3(
      String bucket,
      @Nullable String prefix,
      @Nullable String region,
      @Nullable String endpoint,
      @Nullable Boolean pathStyle,
      @Nullable String accessKey,
      @Nullable String secretKeyFile) {}

  /**
   * Where the server listens, and the address that others reach it by.
   *
   * @param ownMachine whether runs may use the server's own machine; null where nobody says
   * @param trustedProxies addresses and networks of proxies that tell where requests come from
   */
  public record Listen(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String publicUrl,
      @Nullable Boolean ownMachine,
      @Nullable List<String> trustedProxies) {
    public Listen {
      trustedProxies = trustedProxies == null ? null : List.copyOf(trustedProxies);
    }
  }

  /**
   * The identity provider that people log in with.
   *
   * @param issuer its address, as its tokens name it
   * @param clientId what it calls this installation
   * @param scopes what it is asked for
   * @param userClaim what of its tokens is the name of the user
   * @param allowedDomains whose mail addresses are let in; null where nobody says
   * @param allowedUsers who is let in by name; null where nobody says
   * @param admins who is a global admin, by name, and let in
   * @param createUsers whether who is let in becomes a user at the first login
   * @param tokenLifetime for how long a login lasts
   * @param requireVerifiedEmail whether its tokens must say that a mail address was verified, where
   *     the address decides anything
   */
  public record Oidc(
      String issuer,
      String clientId,
      List<String> scopes,
      UserClaim userClaim,
      @Nullable List<String> allowedDomains,
      @Nullable List<String> allowedUsers,
      List<String> admins,
      boolean createUsers,
      Duration tokenLifetime,
      boolean requireVerifiedEmail) {
    public Oidc {
      scopes = List.copyOf(scopes);
      allowedDomains = allowedDomains == null ? null : List.copyOf(allowedDomains);
      allowedUsers = allowedUsers == null ? null : List.copyOf(allowedUsers);
      admins = List.copyOf(admins);
    }
  }

  /** What of an identity provider's token is the name of the user. */
  public enum UserClaim {
    EMAIL,
    PREFERRED_USERNAME
  }
}
