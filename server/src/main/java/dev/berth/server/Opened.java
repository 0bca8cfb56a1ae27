package dev.berth.server;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.defaults.CatalogSetting;
import dev.berth.control.FailPoint;
import dev.berth.decisions.RunLimits;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.server.ssh.OpenSshKey;
import dev.berth.server.traces.Traces;
import java.util.List;
import java.util.Objects;

/**
 * What a server has when its turn has come: everything that was opened before it could do anything.
 *
 * @param token the one of its home
 * @param sshKey the one with which the installation logs in to machines
 * @param http where it listens, also while it stood by
 */
record Opened(
    BerthServer.Settings settings,
    ServerConfiguration configuration,
    FailPoint.Observer failPoints,
    String token,
    Ledger ledger,
    Tenure tenure,
    Keyring keys,
    OpenSshKey sshKey,
    KeptBackends backends,
    Uploads uploads,
    Traces traces,
    HttpListener http) {

  /** Whether runs may use the server's own machine. */
  boolean ownMachine() {
    ServerConfiguration.Listen listen = configuration.server();
    return listen == null || !Boolean.FALSE.equals(listen.ownMachine());
  }

  /** For how long things are kept. */
  ServerConfiguration.Retention retention() {
    return Objects.requireNonNullElse(
        configuration.retention(), ServerConfiguration.Retention.USUAL);
  }

  /** Where the catalog comes from while none is imported. */
  CatalogSetting catalogSetting() throws ServerFile.Invalid {
    ServerConfiguration.Catalog written = configuration.catalog();
    // That of the process counts for every server: it is how tests keep away from the network.
    String variable =
        settings
            .environment()
            .getOrDefault(CatalogSetting.VARIABLE, System.getenv(CatalogSetting.VARIABLE));
    try {
      return CatalogSetting.of(
          variable,
          written == null ? null : written.url(),
          written == null ? null : written.refresh());
    } catch (CatalogException e) {
      throw new ServerFile.Invalid(List.of(String.valueOf(e.getMessage())));
    }
  }

  /** How many runs may be active at once. */
  RunLimits runLimits() {
    ServerConfiguration.Limits limits =
        Objects.requireNonNullElse(configuration.limits(), ServerConfiguration.Limits.USUAL);
    return new RunLimits(limits.runsPerUser(), limits.runsPerProject());
  }

  /** Whether managers of a project may look after its secrets. */
  boolean managersMayKeepSecrets() {
    ServerConfiguration.DefaultPermissions permissions = configuration.defaultPermissions();
    return permissions == null || permissions.allowManagersManageSecrets();
  }

  /** Whether any user may make projects. Admins do, unless the file says more. */
  boolean usersMayMakeProjects() {
    ServerConfiguration.DefaultPermissions permissions = configuration.defaultPermissions();
    return permissions != null && permissions.allowNonAdminsCreateProjects();
  }

  /** Whether anybody may read the metrics. */
  static boolean openMetrics(ServerConfiguration configuration) {
    ServerConfiguration.Metrics written = configuration.metrics();
    return written != null && written.withoutToken();
  }

  /** Whether the metrics tell of single jobs: names of runs are not for anybody by themselves. */
  static boolean measuredJobs(ServerConfiguration configuration) {
    ServerConfiguration.Metrics written = configuration.metrics();
    Boolean wanted = written == null ? null : written.jobs();
    return wanted == null ? !openMetrics(configuration) : wanted;
  }
}
