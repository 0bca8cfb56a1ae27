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
    @Setting("Who we are there; the default credentials where nothing is written.")
        @Nullable Credentials creds,
    @Setting(
            value = "The regions to use; all of the scenario where none is written.",
            example = "sim-north")
        List<String> regions,
    @Setting(value = "The network to use.", example = "main") @Nullable String network,
    @Setting(value = "What the cloud gives.", fallback = "containers") Gives gives,
    @Setting(
            value =
                "Who runs jobs on its machines: the simulation, or Berth, as on those of a real"
                    + " cloud.",
            fallback = "cloud")
        JobsBy jobs,
    @Setting(value = "How the cloud knows our things again.", fallback = "token") Naming identity,
    @Setting(
            value =
                "Where its offers come from: the cloud is asked, or they stand in the catalog under"
                    + " the source 'sim'.",
            fallback = "live")
        Selling offers,
    @Setting(value = "What the cloud shall not be able to do.", example = "volumes")
        List<Trait> without,
    @Setting(
            value = "Where the cloud lives: in memory, or in a file that survives the server.",
            fallback = "file")
        Keeping state,
    @Setting(value = "Chooses what happens by chance; the same seed, the same.", fallback = "1")
        long seed,
    @Setting(
            value = "A YAML file with the scenario, or one that comes with Berth.",
            example = "builtin:flaky-api")
        @Nullable String scenarioFile,
    @Setting("The scenario itself, where it stands in no file.") @Nullable SimScenario scenario) {
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
    @Setting("What the machine of the server has; always accepted.")
    record Default() implements Credentials {}

    /** A key. */
    @Setting("A key.")
    record ApiKey(@Setting("The key; every one is accepted but 'wrong'.") Secret apiKey)
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
