package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.compute;
import static dev.berth.testkit.broken.Variant.type;

import dev.berth.backends.sim.SimConfig;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Marks;
import dev.berth.spi.Offers;
import dev.berth.spi.Provisioner;
import dev.berth.spi.Reach;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.spi.config.PartialConfig;
import dev.berth.spi.config.Suggestion;
import dev.berth.testkit.SimSetup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Types that are badly declared or set up. */
final class ConfigVariants {
  private ConfigVariants() {}

  static List<Variant> all() {
    return List.of(
        type("type-has-a-name", containers(), BadName::new),
        type("type-has-a-summary", containers(), NoSummary::new),
        settings(
            "settings-are-described",
            type -> new OtherSettings<>(type, OtherSettings.Undescribed.class)),
        settings("config-is-read", type -> new OtherSettings<>(type, OtherSettings.Missing.class)),
        settings(
            "secret-settings-are-typed",
            type -> new OtherSettings<>(type, OtherSettings.OpenSecret.class)),
        type("open-says-the-same-twice", containers(), ConfigVariants::otherReachEachTime),
        type("traits-are-those-of-the-type", containers(), FewerTraits::new),
        compute("base-has-its-part", machines(), NoProvisioner::new),
        compute("provisioning-timeout-is-stated", containers(), NoTime::new),
        compute("close-twice-is-silent", containers(), ClosesOnce::new),
        type("check-accepts-the-configuration", containers(), AcceptsNothing::new),
        type("check-refuses-wrong-credentials", containers(), AcceptsAll::new),
        type("check-changes-nothing", containers(), MakesWhenChecked::new),
        type("suggest-names-settings", containers(), SuggestsUnknown::new),
        type("suggest-works-with-nothing", containers(), NeedsCredentials::new),
        type("prepare-twice-same-extras", containers(), PreparesAnew::new),
        type("undo-twice-is-silent", containers(), UndoesOnce::new));
  }

  private static Variant settings(
      String check, Function<BackendType<SimConfig>, BackendType<?>> other) {
    return new Variant(check, containers(), containers().replaced(other));
  }

  private static final class BadName extends ForwardingType<SimConfig> {
    BadName(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public String name() {
      return "Simulated Cloud";
    }
  }

  private static final class NoSummary extends ForwardingType<SimConfig> {
    NoSummary(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public String summary() {
      return "sim";
    }
  }

  private static BackendType<SimConfig> otherReachEachTime(BackendType<SimConfig> type) {
    AtomicInteger opened = new AtomicInteger();
    return Variant.opened(
        type,
        compute -> {
          Reach reach = opened.getAndIncrement() % 2 == 0 ? Reach.SSH : Reach.ENGINE;
          return new ForwardingCompute(compute) {
            @Override
            public Reach reach() {
              return reach;
            }
          };
        });
  }

  private static final class FewerTraits extends ForwardingType<SimConfig> {
    FewerTraits(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public Traits traits() {
      return super.traits().without(Trait.SPOT);
    }
  }

  private static final class NoProvisioner extends ForwardingCompute {
    NoProvisioner(Compute sound) {
      super(sound);
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return Optional.empty();
    }
  }

  private static final class NoTime extends ForwardingCompute {
    NoTime(Compute sound) {
      super(sound);
    }

    @Override
    public Duration provisioningTimeout(String instanceType) {
      return Duration.ZERO;
    }
  }

  private static final class ClosesOnce extends ForwardingCompute {
    private final AtomicBoolean closed = new AtomicBoolean();

    ClosesOnce(Compute sound) {
      super(sound);
    }

    @Override
    public void close() {
      if (closed.getAndSet(true)) {
        throw new IllegalStateException("it is closed");
      }
    }
  }

  private static final class AcceptsNothing extends ForwardingType<SimConfig> {
    AcceptsNothing(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public void check(SimConfig config, BackendContext context) {
      throw new BackendException.BadConfig("creds", "is not accepted");
    }
  }

  private static final class AcceptsAll extends ForwardingType<SimConfig> {
    AcceptsAll(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public void check(SimConfig config, BackendContext context) {}
  }

  /** Tries out whether a volume can be made, and leaves it there. */
  private static final class MakesWhenChecked extends ForwardingType<SimConfig> {
    private Optional<Compute> opened = Optional.empty();
    private Optional<BackendContext> openedIn = Optional.empty();

    MakesWhenChecked(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public Compute open(SimConfig config, BackendContext context) {
      Compute compute = super.open(config, context);
      opened = Optional.of(compute);
      openedIn = Optional.of(context);
      return compute;
    }

    @Override
    public void check(SimConfig config, BackendContext context) {
      super.check(config, context);
      Marks marks = new Marks(openedIn.orElseThrow().owner(), "checked", 1);
      opened
          .flatMap(Compute::provisioner)
          .orElseThrow()
          .create(new CreateRequest.Volume(marks, Map.of(), "sim-north", null, 1024));
    }
  }

  private static final class SuggestsUnknown extends ForwardingType<SimConfig> {
    SuggestsUnknown(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public List<Suggestion> suggest(PartialConfig partial, BackendContext context) {
      return List.of(
          new Suggestion("subnet", List.of(new Suggestion.Choice("one", "The first", true))));
    }
  }

  private static final class NeedsCredentials extends ForwardingType<SimConfig> {
    NeedsCredentials(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public List<Suggestion> suggest(PartialConfig partial, BackendContext context) {
      if (partial.find("creds", SimConfig.Credentials.class).isEmpty()) {
        throw new BackendException.BadConfig("creds", "is missing");
      }
      return super.suggest(partial, context);
    }
  }

  private static final class PreparesAnew extends ForwardingType<SimConfig> {
    private final AtomicInteger networks = new AtomicInteger();

    PreparesAnew(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public Map<String, String> prepare(SimConfig config, BackendContext context) {
      return Map.of("network", "net-" + networks.incrementAndGet());
    }
  }

  private static final class UndoesOnce extends ForwardingType<SimConfig> {
    private final AtomicInteger undone = new AtomicInteger();

    UndoesOnce(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public void undo(SimConfig config, BackendContext context) {
      if (undone.incrementAndGet() > 1) {
        throw Altered.gone();
      }
      super.undo(config, context);
    }
  }

  /** Types as a check needs them that sees what stands in the catalog. */
  static SimSetup catalogued() {
    return containers()
        .wrapped(
            type ->
                Variant.opened(
                    type,
                    compute ->
                        new ForwardingCompute(compute) {
                          @Override
                          public Offers offers() {
                            return new Offers.Catalogued("sim");
                          }
                        }));
  }
}
