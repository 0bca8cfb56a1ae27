package dev.berth.server;

import dev.berth.grammar.ConfigurationFile;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Problem;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.ServerConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The server's own file: where it listens, and the backends that it declares. */
public record ServerFile(Path path, boolean required) {
  /** What it is called in the server's home. */
  public static final String NAME = "server.yml";

  private static final int LARGEST = 10 * 1024 * 1024;

  private static final ServerConfiguration NOTHING =
      new ServerConfiguration(
          List.of(), null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null, null, null);

  /** The one in a home, which need not be there. */
  public static ServerFile inHome(Path home) {
    return new ServerFile(home.resolve(NAME), false);
  }

  /** One that a user names. */
  public static ServerFile named(Path path) {
    return new ServerFile(path.toAbsolutePath(), true);
  }

  /** A file that cannot be used, with a line for each reason. */
  public static final class Invalid extends IOException {
    private static final long serialVersionUID = 1L;

    Invalid(List<String> lines) {
      super(String.join("\n", lines));
    }
  }

  /**
   * What a file says.
   *
   * @param warnings what is in it and not used, a line each
   * @param isThere false where there is no file, which says the same as one with nothing in it
   */
  public record Contents(
      ServerConfiguration configuration, List<String> warnings, boolean isThere) {
    public Contents {
      warnings = List.copyOf(warnings);
    }
  }

  /** The folder that it is in, from which other files are named. */
  Path folder() {
    return Objects.requireNonNull(path.getParent(), "a file in a folder");
  }

  /** Whether this is what no file says. */
  static boolean saysNothing(ServerConfiguration configuration) {
    return configuration.equals(NOTHING);
  }

  /** Reads it. */
  public Contents read() throws Invalid {
    ConfigurationFile file;
    try (InputStream in = Files.newInputStream(path)) {
      file =
          ConfigurationReader.read(
              in.readNBytes(LARGEST + 1), ConfigurationReader.Defaults.AS_WRITTEN);
    } catch (NoSuchFileException e) {
      if (required) {
        throw new Invalid(List.of(path + ": there is no such file"));
      }
      return new Contents(NOTHING, List.of(), false);
    } catch (IOException e) {
      throw new Invalid(List.of(path + ": the file cannot be read: " + e));
    }
    Configuration read = file.configuration().orElse(null);
    if (read == null) {
      throw new Invalid(lines(file.errors()));
    }
    if (!(read instanceof ServerConfiguration configuration)) {
      throw new Invalid(
          List.of(path + ": this is not a server's file; use berth apply for the file of a run"));
    }
    List<String> warnings = new ArrayList<>(lines(file.warnings()));
    warnings.addAll(unused(configuration));
    return new Contents(configuration, warnings, true);
  }

  private List<String> lines(List<Problem> problems) {
    return problems.stream().map(problem -> problem.format(path.toString())).toList();
  }

  /** What a user could rely on and should not. */
  private List<String> unused(ServerConfiguration configuration) {
    List<String> lines = new ArrayList<>();
    ServerConfiguration.DefaultPermissions permissions = configuration.defaultPermissions();
    if (permissions != null && !permissions.allowNonAdminsManageSshFleets()) {
      lines.add(
          path
              + ": default_permissions: allow_non_admins_manage_ssh_fleets: this is not used in"
              + " this version");
    }
    note(lines, configuration.plugins(), "plugins");
    note(lines, configuration.dockerImage(), "docker-image");
    return lines;
  }

  private void note(List<String> lines, @Nullable Object value, String field) {
    if (value != null) {
      lines.add(path + ": " + field + ": this is not used in this version");
    }
  }
}
