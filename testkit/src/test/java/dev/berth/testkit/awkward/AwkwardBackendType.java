package dev.berth.testkit.awkward;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;

/** Machines of the awkward cloud. Not final, so that broken ones can be made of it. */
class AwkwardBackendType implements BackendType<AwkwardConfig> {
  static final String NAME = "awkward";
  static final Traits TRAITS =
      Traits.of(Traits.Base.MACHINES)
          .without(Trait.SPOT, Trait.RESERVATIONS, Trait.GROUPS, Trait.VOLUMES)
          .without(Trait.PLACEMENT_GROUPS, Trait.GATEWAYS, Trait.PRIVATE_GATEWAYS)
          .without(Trait.GATEWAY_LOAD_BALANCERS, Trait.GPU_METRICS);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "Machines of a cloud that makes everything difficult.";
  }

  @Override
  public Class<AwkwardConfig> config() {
    return AwkwardConfig.class;
  }

  @Override
  public Traits traits() {
    return TRAITS;
  }

  @Override
  public void check(AwkwardConfig config, BackendContext context) {
    try (AwkwardClient client = new AwkwardClient(config)) {
      client.get("/v1/account");
    } catch (BackendException.Unauthorised e) {
      throw new BackendException.BadConfig("creds", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Compute open(AwkwardConfig config, BackendContext context) {
    AwkwardClient client = new AwkwardClient(config);
    return new AwkwardCompute(
        client, context.clock(), new AwkwardProvisioner(client, context.owner(), context.clock()));
  }
}
