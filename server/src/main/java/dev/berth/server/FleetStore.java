package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.control.LedgerView;
import dev.berth.decisions.View;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.Ledger;
import dev.berth.model.Accelerator;
import dev.berth.model.BackendKey;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Purchase;
import dev.berth.model.api.FleetDetail;
import dev.berth.model.api.FleetList;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.InstanceView;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads fleets and their machines for the API, from the ledger. */
final class FleetStore {
  private final Ledger ledger;

  FleetStore(Ledger ledger) {
    this.ledger = ledger;
  }

  /** All fleets and machines, with those that backends speak of before a record does. */
  View places(Map<String, List<Instance>> found) {
    return LedgerView.readPlaces(
        ledger, Ledger.MAIN_REALM, found.values().stream().flatMap(List::stream).toList());
  }

  FleetList fleets(String project) {
    return new FleetList(active(project).stream().map(this::view).toList());
  }

  /** The fleet of a name or id; of those of one name, that of a user before that of a run. */
  Fleet fleet(String project, String name) {
    return find(project, name).orElseThrow(() -> noFleet(project, name));
  }

  static ApiException noFleet(String project, String name) {
    return new ApiException(
        404, "there is no fleet '" + name + "' in the project '" + project + "'");
  }

  /** An active fleet by its name, or any by its id. */
  Optional<Fleet> find(String project, String name) {
    return findOwn(project, name)
        .or(() -> active(project).stream().filter(fleet -> fleet.name().equals(name)).findFirst())
        .or(() -> find(name).filter(fleet -> fleet.project().equals(project)));
  }

  /** The active fleet of a name that a user made. */
  Optional<Fleet> findOwn(String project, String name) {
    return ledger
        .findActiveByName(Ledger.MAIN_REALM, "fleet", project, name)
        .map(stored -> (Fleet) Codec.entity(stored.row()));
  }

  Optional<Fleet> find(String id) {
    return Identifiers.key("fleet", id)
        .flatMap(key -> ledger.find(Ledger.MAIN_REALM, key))
        .map(stored -> (Fleet) Codec.entity(stored.row()));
  }

  private List<Fleet> active(String project) {
    return all(EntityQuery.all("fleet", EntityQuery.LARGEST_PAGE).inProject(project).active())
        .stream()
        .map(Fleet.class::cast)
        .toList();
  }

  private List<Instance> machines(Fleet fleet) {
    return all(EntityQuery.all("instance", EntityQuery.LARGEST_PAGE).ofParent(fleet.id()).active())
        .stream()
        .map(Instance.class::cast)
        .sorted(Comparator.comparingInt(machine -> machine.bought().orElseThrow().number()))
        .toList();
  }

  private List<Entity> all(EntityQuery query) {
    return ledger.listAll(Ledger.MAIN_REALM, query).stream()
        .map(stored -> Codec.entity(stored.row()))
        .toList();
  }

  FleetDetail detail(Fleet fleet) {
    List<Instance> machines = machines(fleet);
    return new FleetDetail(
        view(fleet, machines),
        fleet.configuration(),
        machines.stream().map(FleetStore::view).toList());
  }

  FleetView view(Fleet fleet) {
    return view(fleet, machines(fleet));
  }

  private static FleetView view(Fleet fleet, List<Instance> machines) {
    return new FleetView(
        fleet.id(),
        fleet.name(),
        fleet.project(),
        fleet.user(),
        fleet.status().word(),
        fleet.temporary(),
        fleet.message(),
        // One that was never looked at is due at once, which is nothing to wait for.
        fleet.trials() == 0 ? null : fleet.due(),
        new FleetView.Nodes(
            fleet.spec().nodes().min(),
            fleet.spec().nodes().target(),
            fleet.spec().nodes().max(),
            count(machines, Instance.Status.IDLE),
            count(machines, Instance.Status.BUSY),
            count(machines, Instance.Status.PENDING, Instance.Status.PROVISIONING),
            count(machines, Instance.Status.TERMINATING)),
        machines.stream().mapToDouble(Instance::price).sum(),
        fleet.submittedAt());
  }

  private static int count(List<Instance> machines, Instance.Status... statuses) {
    return (int)
        machines.stream().filter(machine -> List.of(statuses).contains(machine.status())).count();
  }

  private static InstanceView view(Instance machine) {
    Purchase purchase = machine.bought().orElseThrow();
    return new InstanceView(
        machine.id(),
        purchase.number(),
        machine.name(),
        machine.status().word(),
        BackendKey.name(machine.backend()),
        machine.region(),
        purchase.place().zone(),
        purchase.place().instanceType(),
        machine.capacity().cpus(),
        machine.capacity().memoryMib(),
        machine.gpus().stream().map(Accelerator::name).toList(),
        purchase.place().spot(),
        machine.price(),
        purchase.blocks(),
        purchase.blocks() - machine.free().slots(),
        List.copyOf(machine.allocations().keySet()),
        purchase.address(),
        purchase.reason() == null ? null : purchase.reason().word(),
        purchase.message(),
        purchase.boughtAt(),
        purchase.idleSince());
  }
}
