package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.ScenarioFiles;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.model.Secret;
import dev.berth.spi.Trait;
import dev.berth.spi.config.Setting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a simulated cloud is configured. */
public record SimConfig(
    @Setting("The credentials for the cloud; by default those of the server's machine.")
        @Nullable Credentials creds,
    @Setting(
            value = "The regions to use; by default all regions of the scenario.",
            example = "sim-north")
        List<String> regions,
    @Setting(value = "The network to use.", example = "main") @Nullable String network,
    @Setting(value = "What the cloud provides.", fallback = "containers") Gives gives,
    @Setting(
            value =
                "Who runs jobs on its machines: the simulation, or Berth, as on those of a real"
                    + " cloud.",
            fallback = "cloud")
        JobsBy jobs,
    @Setting(
            value = "How the cloud recognises resources that were requested before.",
            fallback = "token")
        Naming identity,
    @Setting(
            value =
                "Where its offers come from: the cloud is asked, or they are in the catalog under"
                    + " the source 'sim'.",
            fallback = "live")
        Selling offers,
    @Setting(value = "Capabilities that the cloud lacks.", example = "volumes") List<Trait> without,
    @Setting(
            value =
                "Where the cloud keeps its state: in memory, or in a file that survives the"
                    + " server.",
            fallback = "file")
        Keeping state,
    @Setting(
            value = "The seed of all random events; the same seed gives the same events.",
            fallback = "1")
        long seed,
    @Setting(
            value = "A YAML file with the scenario, or a scenario that comes with Berth.",
            example = "builtin:flaky-api")
        @Nullable String scenarioFile,
    @Setting("The scenario itself, instead of a file.") @Nullable SimScenario scenario) {
  /** The key that the simulated cloud refuses. */
  static final String REFUSED_KEY = "wrong";

  public SimConfig {
    regions = List.copyOf(regions);
    without = List.copyOf(without);
    if (scenarioFile != null && scenario != null) {
      throw new IllegalArgumentException(
          "has both 'scenario_file' and 'scenario'; write one of them");
    }
    if (jobs == JobsBy.BERTH && gives != Gives.MACHINES) {
      throw new IllegalArgumentException("'jobs: berth' needs 'gives: machines'");
    }
  }

  /** The scenario, read from its file where it has one. */
  SimScenario readScenario() {
    if (scenario != null) {
      return scenario;
    }
    return scenarioFile == null ? ScenarioFiles.calm() : ScenarioFiles.read(scenarioFile);
  }

  /** Whether the cloud accepts the credentials. */
  boolean isAuthorised() {
    return !isRefused(creds);
  }

  static boolean isRefused(@Nullable Credentials credentials) {
    return switch (credentials) {
      case null -> false;
      case Credentials.Default _ -> false;
      case Credentials.ApiKey key -> key.apiKey().reveal().equals(REFUSED_KEY);
    };
  }

  /** Who we are. */
  public sealed interface Credentials {
    /** What the machine of the server has, which the simulated cloud always accepts. */
    @Setting("The credentials of the server's machine; always accepted.")
    record Default() implements Credentials {}

    /** A key. */
    @Setting("An API key.")
    record ApiKey(@Setting("The key; every key but 'wrong' is accepted.") Secret apiKey)
        implements Credentials {}
  }

  /** What is bought. */
  public enum Gives {
    MACHINES,
    CONTAINERS
  }

  /** Who runs jobs on machines. */
  public enum JobsBy {
    CLOUD,
    BERTH
  }

  /** How the cloud knows again what we asked for. */
  public enum Naming {
    TOKEN,
    UNIQUE_NAME,
    LOOKUP
  }

  /** Where its offers come from. */
  public enum Selling {
    LIVE,
    CATALOG
  }

  /** Where the state of the cloud is. */
  public enum Keeping {
    MEMORY,
    FILE
  }
}
