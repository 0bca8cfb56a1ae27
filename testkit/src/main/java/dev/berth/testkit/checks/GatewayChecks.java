package dev.berth.testkit.checks;

import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.LoadBalancers;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Map;

/** Machines that receive the traffic of services, and load balancers before them. */
final class GatewayChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "gateway-has-an-address",
                  "A gateway becomes READY with an address, and goes when it is deleted.",
                  GatewayChecks::gateway)
              .using(Trait.GATEWAYS),
          check(
                  "gateway-has-the-type-asked-for",
                  "A gateway can be had on an instance type that is sold, and one of a type that"
                      + " the provider does not have is a permanent error or no capacity.",
                  GatewayChecks::typed)
              .needing(Part.OFFERS)
              .using(Trait.GATEWAYS),
          check(
                  "gateways-refused",
                  "Without GATEWAYS to make a gateway is refused.",
                  trial -> refuse(trial, true, "a gateway", Trait.GATEWAYS))
              .refusing(Trait.GATEWAYS),
          check(
                  "private-gateway-is-made",
                  "A gateway without an address on the internet becomes READY too.",
                  trial -> ready(trial, false))
              .using(Trait.PRIVATE_GATEWAYS),
          check(
                  "private-gateways-refused",
                  "Without PRIVATE_GATEWAYS a gateway without an address on the internet is"
                      + " refused.",
                  trial ->
                      refuse(
                          trial,
                          false,
                          "a private gateway",
                          Trait.PRIVATE_GATEWAYS,
                          Trait.GATEWAYS))
              .refusing(Trait.PRIVATE_GATEWAYS),
          check(
                  "load-balancer-takes-gateways",
                  "register() adds a gateway to a load balancer, and deregister() takes it out;"
                      + " both may be called again.",
                  GatewayChecks::balances)
              .using(Trait.GATEWAY_LOAD_BALANCERS),
          check(
                  "load-balancer-unknown-gateway-gone",
                  "register() of a gateway that is not there throws Gone; deregister() is silent.",
                  GatewayChecks::unknown)
              .using(Trait.GATEWAY_LOAD_BALANCERS),
          check(
                  "load-balancers-refused",
                  "Without GATEWAY_LOAD_BALANCERS there is no loadBalancers(), and to make one is"
                      + " refused.",
                  GatewayChecks::noBalancers)
              .refusing(Trait.GATEWAY_LOAD_BALANCERS));

  private GatewayChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.GATEWAYS, name, sentence, body);
  }

  private static Found ready(Trial trial, boolean publicAddress) {
    Found made = trial.things().create(trial.things().gateway(trial.key(), publicAddress));
    return trial.things().awaitReady(made.ref());
  }

  private static void gateway(Trial trial) {
    Found gateway = ready(trial, true);
    String host = gateway.host();
    Expect.that(
        host != null && !host.isBlank(),
        "a gateway is READY without a host: show it as CREATING until its address is known");
    Expect.same(ResourceType.GATEWAY, gateway.ref().type(), "the type of a gateway");
    trial.things().provisioner().delete(gateway.ref());
    trial.things().awaitGone(gateway.ref());
  }

  private static void typed(Trial trial) {
    String key = trial.key();
    Expect.thrown(
        () -> trial.things().create(trial.things().gateway(key, trial.nowhere().instanceType())),
        "create() of a gateway of an unknown instance type",
        BackendException.Permanent.class,
        BackendException.NoCapacity.class);
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        trial.things().keyed(trial.owner(), key).isEmpty(),
        "create() threw, and a gateway was made all the same");
    CreateRequest known = trial.things().gateway(trial.key(), trial.place().instanceType());
    trial.things().awaitReady(trial.things().create(known).ref());
  }

  private static void refuse(Trial trial, boolean publicAddress, String what, Trait... traits) {
    if (trial.compute().provisioner().isPresent()) {
      Refusals.ofThing(trial, trial.things().gateway(trial.key(), publicAddress), what, traits);
    }
  }

  private static LoadBalancers balancers(Trial trial) {
    return trial.behaviour(
        trial.compute().loadBalancers(), Trait.GATEWAY_LOAD_BALANCERS, "loadBalancers()");
  }

  private static ResourceRef balancer(Trial trial) {
    Found made = trial.things().create(trial.things().loadBalancer(trial.key()));
    return trial.things().awaitReady(made.ref()).ref();
  }

  private static void balances(Trial trial) {
    LoadBalancers balancers = balancers(trial);
    ResourceRef balancer = balancer(trial);
    ResourceRef gateway = ready(trial, true).ref();
    balancers.register(balancer, gateway);
    Expect.silent(
        () -> balancers.register(balancer, gateway),
        "register() must be silent for a gateway that is in already");
    balancers.deregister(balancer, gateway);
    Expect.silent(
        () -> balancers.deregister(balancer, gateway),
        "deregister() must be silent for a gateway that is not in");
  }

  private static void unknown(Trial trial) {
    LoadBalancers balancers = balancers(trial);
    ResourceRef balancer = balancer(trial);
    ResourceRef nobody =
        new ResourceRef(
            ResourceType.GATEWAY, trial.key(), "kit-no-such-id", balancer.region(), Map.of());
    Expect.thrown(
        () -> balancers.register(balancer, nobody),
        "register() of a gateway that is not there",
        BackendException.Gone.class);
    Expect.silent(
        () -> balancers.deregister(balancer, nobody),
        "deregister() must be silent for a gateway that is gone");
  }

  private static void noBalancers(Trial trial) {
    trial.noBehaviour(
        trial.compute().loadBalancers(), Trait.GATEWAY_LOAD_BALANCERS, "loadBalancers()");
    if (trial.compute().provisioner().isPresent()) {
      Refusals.ofThing(
          trial,
          trial.things().loadBalancer(trial.key()),
          "a load balancer",
          Trait.GATEWAY_LOAD_BALANCERS);
    }
  }
}
