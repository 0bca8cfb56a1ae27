package dev.berth.cli;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.defaults.CatalogHealth;
import dev.berth.catalog.defaults.CatalogSetting;
import dev.berth.catalog.defaults.DefaultCatalog;
import dev.berth.model.api.DoctorView.Check;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.server.ServerFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Future;

/** The catalog of a home that commands use without a server. */
final class DefaultCatalogs {
  private DefaultCatalogs() {}

  /** Fetches in a process of its own, since the command may end before that. */
  static DefaultCatalog open(Home home, PrintWriter err) {
    return new DefaultCatalog(
        CatalogHome.folder(home),
        setting(home, err),
        InstantSource.system(),
        () -> fetchInBackground(home, err));
  }

  /** Fetches in this process. */
  static DefaultCatalog openHere(Home home, PrintWriter err) {
    return new DefaultCatalog(CatalogHome.folder(home), setting(home, err), InstantSource.system());
  }

  private static Future<?> fetchInBackground(Home home, PrintWriter err) {
    try {
      return new ProcessBuilder(
              new EmbeddedServer(home, err).command("catalog", CatalogFetchCommand.NAME))
          .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .onExit();
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "the catalog cannot be fetched: " + e.getMessage());
    }
  }

  /** As the embedded server of the home would have it; its file is read only where that counts. */
  private static CatalogSetting setting(Home home, PrintWriter err) {
    String variable = System.getenv(CatalogSetting.VARIABLE);
    try {
      if (variable != null && !variable.isBlank()) {
        return CatalogSetting.of(variable, null, null);
      }
      ServerConfiguration.Catalog written =
          ServerFile.inHome(home.folder()).read().configuration().catalog();
      return written == null
          ? CatalogSetting.of(null, null, null)
          : CatalogSetting.of(null, written.url(), written.refresh());
    } catch (CatalogException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    } catch (ServerFile.Invalid e) {
      err.println("berth: no catalog is fetched, since server.yml is not valid: " + e.getMessage());
      return CatalogSetting.off();
    }
  }

  static Check check(Home home, PrintWriter err) {
    return open(home, err)
        .health()
        .map(
            health ->
                health.sound()
                    ? Check.ok("catalog", health.sentence())
                    : Check.warn("catalog", health.sentence(), CatalogHealth.REMEDY))
        .orElseGet(() -> Check.ok("catalog", "one is imported; see berth catalog list"));
  }
}
