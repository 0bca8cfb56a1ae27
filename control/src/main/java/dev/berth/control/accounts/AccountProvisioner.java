package dev.berth.control.accounts;

import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.util.List;
import java.util.Optional;

/** A provisioner whose calls pass the gateway of its account. */
final class AccountProvisioner implements Provisioner {
  private final Provisioner provisioner;
  private final AccountGateway gateway;
  private final Runnable beforeChange;

  AccountProvisioner(Provisioner provisioner, AccountGateway gateway, Runnable beforeChange) {
    this.provisioner = provisioner;
    this.gateway = gateway;
    this.beforeChange = beforeChange;
  }

  @Override
  public Found create(CreateRequest request) {
    return gateway.call(
        "create " + request.key(),
        AccountGateway.Kind.LAUNCH,
        () -> {
          beforeChange.run();
          return provisioner.create(request);
        });
  }

  @Override
  public void delete(ResourceRef ref) {
    gateway.call(
        "delete " + ref.id(),
        AccountGateway.Kind.CHANGE,
        () -> {
          beforeChange.run();
          provisioner.delete(ref);
          return ref;
        });
  }

  @Override
  public Optional<Found> describe(ResourceRef ref) {
    return gateway.call(
        "describe " + ref.id(), AccountGateway.Kind.READ, () -> provisioner.describe(ref));
  }

  @Override
  public List<Optional<Found>> describe(List<ResourceRef> refs) {
    return gateway.call("describe all", AccountGateway.Kind.READ, () -> provisioner.describe(refs));
  }

  @Override
  public int describedAtOnce() {
    return provisioner.describedAtOnce();
  }

  @Override
  public Listing list(Owner owner) {
    return gateway.call("list", AccountGateway.Kind.READ, () -> provisioner.list(owner));
  }

  @Override
  public List<Found> find(Owner owner, String key, String region) {
    return gateway.call(
        "find " + key, AccountGateway.Kind.READ, () -> provisioner.find(owner, key, region));
  }

  @Override
  public boolean powerOffEndsBilling() {
    return provisioner.powerOffEndsBilling();
  }
}
