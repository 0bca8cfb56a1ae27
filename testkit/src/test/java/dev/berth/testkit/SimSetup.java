package dev.berth.testkit;

import dev.berth.backends.sim.SimBackendType;
import dev.berth.backends.sim.SimConfig;
import dev.berth.backends.sim.Waiting;
import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.Owner;
import dev.berth.spi.Trait;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated cloud as a subject, whose time passes only when the kit waits.
 *
 * @param wrapping turns the type into another one, such as a broken one
 * @param replacing puts another type with other settings in its place
 */
public record SimSetup(
    String gives,
    String identity,
    List<Trait> without,
    boolean realShell,
    Map<String, Object> scenario,
    UnaryOperator<BackendType<SimConfig>> wrapping,
    Function<BackendType<SimConfig>, BackendType<?>> replacing)
    implements Setup {
  /** The key that the subject's configuration has, which must not be seen. */
  public static final String KEY = "right-key-5b1e";

  /** One port of a job that the simulated cloud answers on, whatever the job does. */
  private static final Subject.Listener LISTENER =
      new Subject.Listener(18765, List.of("sleep 3600"));

  /** What the default scenario has reserved. */
  private static final Place RESERVED =
      new Place("sim-north", "sim-north-a", "sim-cpu-2", false, 0.08, "{}", null, "reserved-1");

  /** Where a machine of the default scenario can be had. */
  private static final Place PLACE =
      new Place("sim-north", "sim-north-a", "sim-cpu-2", false, 0.08, "{}", null, null);

  public static SimSetup machines() {
    return new SimSetup(
        "machines", "token", List.of(), false, Map.of(), type -> type, type -> type);
  }

  public static SimSetup containers() {
    return new SimSetup(
        "containers", "token", List.of(), false, Map.of(), type -> type, type -> type);
  }

  public SimSetup identity(String newIdentity) {
    return new SimSetup(gives, newIdentity, without, realShell, scenario, wrapping, replacing);
  }

  public SimSetup without(Trait... missing) {
    return new SimSetup(
        gives, identity, Arrays.asList(missing), realShell, scenario, wrapping, replacing);
  }

  /** The same, whose jobs are run by something that the kit takes for a shell. */
  public SimSetup withShell() {
    return new SimSetup(gives, identity, without, true, scenario, wrapping, replacing);
  }

  /** The same, changed once more. */
  public SimSetup wrapped(UnaryOperator<BackendType<SimConfig>> more) {
    return new SimSetup(
        gives,
        identity,
        without,
        realShell,
        scenario,
        type -> more.apply(wrapping.apply(type)),
        replacing);
  }

  /** The same, with a type in its place that has other settings. */
  public SimSetup replaced(Function<BackendType<SimConfig>, BackendType<?>> other) {
    return new SimSetup(gives, identity, without, realShell, scenario, wrapping, other);
  }

  /** The same cloud, in which this happens. */
  public SimSetup happening(Map<String, Object> newScenario) {
    return new SimSetup(gives, identity, without, realShell, newScenario, wrapping, replacing);
  }

  @Override
  public Running start(Path directory) {
    return new Running(subject(directory), () -> {});
  }

  public Subject subject(Path directory) {
    SettableClock clock = new SettableClock();
    BackendType<SimConfig> sim = new SimBackendType(Waiting.none());
    Subject subject =
        Subject.of(replacing.apply(wrapping.apply(sim)), config(KEY))
            .refusing(config("wrong"))
            .called("run" + Integer.toHexString(directory.hashCode()))
            .listening(LISTENER)
            .selling(offers(sim, directory.resolve("catalog"), clock))
            .reserving(RESERVED)
            .at(new Subject.Environment(directory, clock, clock.patience()));
    if (scenario.toString().contains("late_refusal")) {
      subject = subject.refusingLateAt(PLACE);
    }
    return realShell ? subject.with(Subject.Shell.REAL) : subject;
  }

  /** What the cloud sells, for backends whose offers stand in the catalog. */
  private List<CatalogItem> offers(
      BackendType<SimConfig> sim, Path directory, SettableClock clock) {
    BackendContext context =
        new BackendContext("catalog", new Owner("catalog"), directory, Map.of(), clock);
    SimConfig config = ConfigReader.read(SimConfig.class, config(KEY));
    try (Compute compute = sim.open(config, context)) {
      return compute.offers() instanceof Offers.Live(var source)
          ? source.fetch(OfferFilter.ANY, false).items()
          : List.of();
    }
  }

  private Map<String, @Nullable Object> config(String key) {
    Map<String, @Nullable Object> config = new LinkedHashMap<>();
    config.put("creds", Map.of("type", "api_key", "api_key", key));
    config.put("gives", gives);
    config.put("identity", identity);
    if (!scenario.isEmpty()) {
      config.put("scenario", scenario);
    }
    config.put("without", without.stream().map(Trait::word).toList());
    return config;
  }
}
