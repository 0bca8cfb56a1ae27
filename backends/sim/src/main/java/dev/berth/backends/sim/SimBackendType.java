package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Operation;
import dev.berth.backends.sim.scenario.Region;
import dev.berth.backends.sim.scenario.ScenarioFiles;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.spi.config.ConfigProblem;
import dev.berth.spi.config.PartialConfig;
import dev.berth.spi.config.Suggestion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A simulated cloud, which costs nothing and goes wrong as its scenario says. */
public final class SimBackendType implements BackendType<SimConfig> {
  static final String NAME = "sim";

  /** The word under which the network that was prepared is stored. */
  static final String NETWORK = "network";

  private static final String KEY_FIELD = "creds.api_key";

  private final Waiting waiting;

  /** One whose calls really take as long as the scenario says. */
  public SimBackendType() {
    this(Waiting.real());
  }

  /** One whose calls wait as they are told, for whoever moves the clock. */
  public SimBackendType(Waiting waiting) {
    this.waiting = waiting;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "A simulated cloud for rehearsals: it costs nothing, and fails as you specify.";
  }

  @Override
  public Class<SimConfig> config() {
    return SimConfig.class;
  }

  @Override
  public Traits traits() {
    return Traits.of(Traits.Base.MACHINES)
        .with(Trait.QUEUE_POSITION, Trait.REWRITING, Trait.FILES, Trait.USAGE);
  }

  @Override
  public void check(SimConfig config, BackendContext context) {
    SimScenario scenario = config.readScenario();
    List<ConfigProblem> problems = new ArrayList<>();
    if (!config.isAuthorised()) {
      problems.add(refusedKey());
    }
    List<String> known = scenario.regions().stream().map(Region::name).toList();
    for (int i = 0; i < config.regions().size(); i++) {
      if (!known.contains(config.regions().get(i))) {
        problems.add(
            new ConfigProblem("regions[" + i + "]", "must be one of " + String.join(", ", known)));
      }
    }
    String network = config.network();
    if (network != null && !scenario.networks().contains(network)) {
      problems.add(
          new ConfigProblem(NETWORK, "must be one of " + String.join(", ", scenario.networks())));
    }
    problems.addAll(SimTraits.problems(config));
    if (!problems.isEmpty()) {
      throw new BackendException.BadConfig(problems);
    }
  }

  private static ConfigProblem refusedKey() {
    return new ConfigProblem(KEY_FIELD, "is not accepted by the simulated cloud");
  }

  @Override
  public List<Suggestion> suggest(PartialConfig partial, BackendContext context) {
    boolean refused =
        partial.find("creds", SimConfig.Credentials.class).filter(SimConfig::isRefused).isPresent();
    if (refused) {
      throw new BackendException.BadConfig(List.of(refusedKey()));
    }
    SimScenario scenario =
        partial
            .find("scenario", SimScenario.class)
            .or(() -> partial.find("scenario_file", String.class).map(ScenarioFiles::read))
            .orElseGet(ScenarioFiles::calm);
    return List.of(
        suggestion("regions", scenario.regions().stream().map(Region::name)),
        suggestion(NETWORK, scenario.networks().stream()),
        suggestion("scenario_file", ScenarioFiles.BUILT_IN.stream().map("builtin:"::concat)));
  }

  private static Suggestion suggestion(String path, Stream<String> values) {
    List<String> all = values.toList();
    return new Suggestion(
        path,
        all.stream()
            .map(value -> new Suggestion.Choice(value, value, value.equals(all.getFirst())))
            .toList());
  }

  @Override
  public Map<String, String> prepare(SimConfig config, BackendContext context) {
    if (config.network() != null) {
      // The user's own, which is neither made nor taken back by us.
      return Map.of(NETWORK, config.network());
    }
    String id = network(context);
    cloud(config, context)
        .run(Operation.PREPARE, "network=" + id, turn -> turn.world().addNetwork(id));
    return Map.of(NETWORK, id);
  }

  @Override
  public void undo(SimConfig config, BackendContext context) {
    String id = network(context);
    cloud(config, context)
        .run(Operation.UNDO, "network=" + id, turn -> turn.world().removeNetwork(id));
  }

  /** The name that our network has there: the same for ever, so that it is found again. */
  private static String network(BackendContext context) {
    return "net-%s-%s".formatted(context.owner().installation(), context.backend());
  }

  @Override
  public SimCompute open(SimConfig config, BackendContext context) {
    return new SimCompute(config, context, cloud(config, context));
  }

  private SimCloud cloud(SimConfig config, BackendContext context) {
    SimScenario scenario = config.readScenario();
    Instant now = context.clock().instant();
    CloudState state =
        switch (config.state()) {
          case MEMORY -> new MemoryState(Births.world(scenario, now));
          case FILE -> new FileState(context.dataDirectory(), () -> Births.world(scenario, now));
        };
    return new SimCloud(config, scenario, state, context.clock(), waiting);
  }
}
