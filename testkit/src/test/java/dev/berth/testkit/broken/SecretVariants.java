package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.compute;
import static dev.berth.testkit.broken.Variant.jobs;
import static dev.berth.testkit.broken.Variant.things;
import static dev.berth.testkit.broken.Variant.type;

import dev.berth.backends.sim.SimConfig;
import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import dev.berth.testkit.SimSetup;
import java.time.Instant;
import java.util.List;

/** Backends that show secrets, or hide who is not let in. */
final class SecretVariants {
  private SecretVariants() {}

  static List<Variant> all() {
    return List.of(
        type("secrets-not-in-errors", containers(), TellsTheKey::new),
        things(
            "secrets-not-in-what-is-shown",
            machines(),
            Fault.shown(found -> found.withDetail("made with " + SimSetup.KEY))),
        compute("secrets-not-in-words", containers(), PrintsTheKey::new),
        jobs("registry-password-not-shown", containers(), ShowsThePassword::new),
        jobs("wrong-credentials-are-unauthorised", containers(), Vague::new));
  }

  private static final class TellsTheKey extends ForwardingType<SimConfig> {
    TellsTheKey(BackendType<SimConfig> sound) {
      super(sound);
    }

    @Override
    public void check(SimConfig config, BackendContext context) {
      try {
        super.check(config, context);
      } catch (BackendException.BadConfig e) {
        String key =
            config.creds() instanceof SimConfig.Credentials.ApiKey given
                ? given.apiKey().reveal()
                : "";
        throw new BackendException.BadConfig("creds.api_key", "is not accepted: " + key);
      }
    }
  }

  private static final class PrintsTheKey extends ForwardingCompute {
    PrintsTheKey(Compute sound) {
      super(sound);
    }

    @Override
    public String toString() {
      return "a cloud with the key " + SimSetup.KEY;
    }
  }

  private static final class ShowsThePassword extends ForwardingRuntime {
    private String password = "";

    ShowsThePassword(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Instant start(JobRequest request) {
      Container container = request.container();
      Container.Registry registry = container == null ? null : container.registry();
      if (registry != null) {
        password = registry.password().reveal();
      }
      return super.start(request);
    }

    @Override
    public JobDescription describe(String job) {
      JobDescription description = super.describe(job);
      return new JobDescription(
          description.observation(),
          "pulled with " + password,
          description.page(),
          description.interruptedAt());
    }
  }

  private static final class Vague extends ForwardingRuntime {
    Vague(JobRuntime sound) {
      super(sound);
    }

    @Override
    public List<String> list(Owner owner) {
      try {
        return super.list(owner);
      } catch (BackendException.Unauthorised e) {
        throw new BackendException.Transient("there was no answer", e);
      }
    }
  }
}
