package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Operation;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.LoadBalancers;
import dev.berth.spi.ResourceRef;
import java.util.List;
import java.util.stream.Stream;

/** Which gateways the load balancers of the simulated cloud send traffic to. */
final class SimLoadBalancers implements LoadBalancers {
  private final SimCloud cloud;

  SimLoadBalancers(SimCloud cloud) {
    this.cloud = cloud;
  }

  @Override
  public void register(ResourceRef balancer, ResourceRef gateway) {
    cloud.run(
        Operation.REGISTER_GATEWAY,
        "%s at %s".formatted(gateway.id(), balancer.id()),
        turn -> {
          SimResource found = require(turn, balancer, ResourceType.LOAD_BALANCER);
          require(turn, gateway, ResourceType.GATEWAY);
          List<String> members =
              Stream.concat(found.links().members().stream(), Stream.of(gateway.id()))
                  .distinct()
                  .toList();
          turn.world().put(found.with(found.links().with(members)));
        });
  }

  @Override
  public void deregister(ResourceRef balancer, ResourceRef gateway) {
    cloud.run(
        Operation.DEREGISTER_GATEWAY,
        "%s at %s".formatted(gateway.id(), balancer.id()),
        turn ->
            turn.world()
                .find(balancer.id(), ResourceType.LOAD_BALANCER, turn.now())
                .filter(found -> found.links().members().contains(gateway.id()))
                .ifPresent(
                    found -> {
                      List<String> members =
                          found.links().members().stream()
                              .filter(id -> !id.equals(gateway.id()))
                              .toList();
                      turn.world().put(found.with(found.links().with(members)));
                    }));
  }

  private static SimResource require(Turn turn, ResourceRef ref, ResourceType type) {
    return turn.world()
        .find(ref.id(), type, turn.now())
        .filter(thing -> thing.life().usable(turn.now()))
        .orElseThrow(
            () ->
                new BackendException.Gone(
                    "there is no %s in the simulated cloud".formatted(SimProvisioner.words(ref)),
                    null));
  }
}
