package dev.berth.model.config;

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
    @Nullable String defaultImage,
    @Nullable String pythonImage,
    @Nullable String nvccImage,
    @Nullable String dockerImage)
    implements Configuration {
  public ServerConfiguration {
    projects = List.copyOf(projects);
  }

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
   * Where the server listens, and the address that others reach it by.
   *
   * @param ownMachine whether runs may use the server's own machine; null where nobody says
   */
  public record Listen(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String publicUrl,
      @Nullable Boolean ownMachine) {}
}
