package dev.berth.testkit.awkward.containers;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.util.Map;

/** Containers of the awkward cloud. Not final, so that broken ones can be made of it. */
class AwkwardContainerType implements BackendType<AwkwardContainerConfig> {
  static final String NAME = "awkward-containers";
  static final Traits TRAITS =
      Traits.of(Traits.Base.CONTAINERS)
          .without(Trait.SPOT, Trait.RESERVATIONS, Trait.MULTI_NODE, Trait.GROUPS, Trait.VOLUMES)
          .without(Trait.PLACEMENT_GROUPS, Trait.GATEWAYS, Trait.PRIVATE_GATEWAYS, Trait.FILES)
          .without(Trait.GATEWAY_LOAD_BALANCERS, Trait.QUEUE_POSITION, Trait.REWRITING)
          .without(Trait.GPU_METRICS, Trait.EXEC, Trait.CONNECT);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "Containers of a cloud that makes everything difficult.";
  }

  @Override
  public Class<AwkwardContainerConfig> config() {
    return AwkwardContainerConfig.class;
  }

  @Override
  public Traits traits() {
    return TRAITS;
  }

  @Override
  public void check(AwkwardContainerConfig config, BackendContext context) {
    try (AwkwardContainerClient client = new AwkwardContainerClient(config)) {
      client.call("GET", "/v1/account", Map.of());
    } catch (BackendException.Unauthorised e) {
      throw new BackendException.BadConfig("creds", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Compute open(AwkwardContainerConfig config, BackendContext context) {
    AwkwardContainerClient client = new AwkwardContainerClient(config);
    return new AwkwardContainerCompute(
        client, context.clock(), new AwkwardContainerRuntime(client, context));
  }
}
