package dev.berth.testkit.awkward;

import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import dev.berth.spi.Listing;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.MarkCodec;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Makes and deletes machines of a disk, an address and a machine, all under one label. The disk is
 * made first and deleted last, so that it stands for the whole: its id is the id of the machine,
 * and as long as there is any part there is a disk that lists show.
 */
class AwkwardProvisioner implements Provisioner {
  private static final MarkCodec LABEL = new MarkCodec(32, MarkCodec.MIXED_CASE);
  private static final String OPERATION = "operation";

  final AwkwardClient client;
  final Owner own;
  final InstantSource clock;

  AwkwardProvisioner(AwkwardClient client, Owner own, InstantSource clock) {
    this.client = client;
    this.own = own;
    this.clock = clock;
  }

  Identity identity() {
    return new Identity.Lookup(AwkwardCompute.VISIBLE_WITHIN, AwkwardCompute.CALL_DEADLINE);
  }

  @Override
  public Found create(CreateRequest request) {
    request.requireOnly(AwkwardBackendType.TRAITS);
    // The traits leave nothing but machines.
    CreateRequest.Machine machine = (CreateRequest.Machine) request;
    Owner owner = machine.marks().owner();
    String label = LABEL.write(machine.marks());
    Map<String, String> part = Map.of("label", label, "region", machine.place().region());
    List<String> made = new ArrayList<>();
    try {
      JsonNode disk = client.post("/v1/disks", part);
      made.addFirst("/v1/disks/" + text(disk, "id"));
      String address = text(client.post("/v1/addresses", part), "id");
      made.addFirst("/v1/addresses/" + address);
      Map<String, String> order = new HashMap<>(part);
      order.put("type", machine.place().instanceType());
      order.put("disk", text(disk, "id"));
      order.put("address", address);
      order.put("user_data", machine.boot());
      return found(owner, disk, null, client.post("/v1/machines", order));
    } catch (BackendException e) {
      if (!e.mayHaveHappened()) {
        rollBack(made, e);
      }
      throw e;
    }
  }

  /** Takes back what a create made that was refused; what is in doubt is left for lists to show. */
  void rollBack(List<String> made, BackendException refusal) {
    try {
      made.forEach(this::deletePart);
    } catch (BackendException e) {
      e.addSuppressed(refusal);
      throw new BackendException.Transient("a refused machine left something behind", e);
    }
  }

  @Override
  public Optional<Found> describe(ResourceRef ref) {
    JsonNode disk = look("/v1/disks/", ref.id()).orElse(null);
    if (disk == null) {
      return Optional.empty();
    }
    JsonNode machine = look("/v1/machines/", disk.path("machine").asString("")).orElse(null);
    String operation = ref.data().getOrDefault(OPERATION, "");
    return Optional.of(found(own, disk, machine, look("/v1/operations/", operation).orElse(null)));
  }

  /** What a disk, the machine that has it, and the order of the machine are together. */
  Found found(Owner owner, JsonNode disk, @Nullable JsonNode machine, @Nullable JsonNode order) {
    Optional<Marks> marks = marks(disk, owner);
    String key = marks.map(Marks::key).orElse("");
    Map<String, String> data = order == null ? Map.of() : Map.of(OPERATION, text(order, "id"));
    String region = text(disk, "region");
    return new Found(
        new ResourceRef(ResourceType.INSTANCE, key, text(disk, "id"), region, data),
        machine == null ? unmade(disk, order) : state(text(machine, "status")),
        marks.map(Marks::tags).orElse(Map.of()),
        created(disk),
        machine == null ? null : MachineAddress.of(text(machine, "ip")),
        List.of(),
        null,
        order == null ? "" : order.path("reason").asString(""),
        null,
        null);
  }

  private Found.State unmade(JsonNode disk, @Nullable JsonNode order) {
    boolean isRefused = order != null && text(order, "status").equals("failed");
    return isRefused || !mayBecomeMore(disk) ? Found.State.FAILED : Found.State.CREATING;
  }

  private static Found.State state(String status) {
    return switch (status) {
      case "active" -> Found.State.READY;
      case "deleting" -> Found.State.LEAVING;
      default -> Found.State.CREATING;
    };
  }

  @Override
  public Listing list(Owner owner) {
    Map<String, JsonNode> machines = new HashMap<>();
    List<JsonNode> disks = client.all("disks");
    client.all("machines").forEach(each -> machines.put(text(each, "disk"), each));
    return Listing.all(
        disks.stream()
            .filter(disk -> marks(disk, owner).isPresent())
            .map(disk -> found(owner, disk, machines.get(text(disk, "id")), null))
            .toList());
  }

  @Override
  public void delete(ResourceRef ref) {
    look("/v1/disks/", ref.id()).ifPresent(this::deleteNext);
  }

  /** Deletes what can be deleted now: the machine, or what is left when it is gone. */
  private void deleteNext(JsonNode disk) {
    switch (text(disk, "status")) {
      case "attached" -> deletePart("/v1/machines/" + text(disk, "machine"));
      case "reserved" -> throw new BackendException.Transient("the order is under way", null);
      default -> {
        deleteAddresses(disk);
        deletePart("/v1/disks/" + text(disk, "id"));
      }
    }
  }

  /**
   * Deletes the addresses of a label that no machine has. One that was made a moment ago may be
   * missing from the list, or may be for a machine that is being made, so this waits until none can
   * be so young.
   */
  void deleteAddresses(JsonNode disk) {
    String label = text(disk, "label");
    Stream<JsonNode> bare =
        labelled("disks", label).filter(each -> !text(each, "status").equals("attached"));
    if (Stream.concat(Stream.of(disk), bare).anyMatch(this::mayBecomeMore)) {
      throw new BackendException.Transient("a machine of this label may still be made", null);
    }
    labelled("addresses", label)
        .flatMap(address -> look("/v1/addresses/", text(address, "id")).stream())
        .filter(address -> text(address, "status").equals("available"))
        .forEach(address -> deletePart("/v1/addresses/" + text(address, "id")));
  }

  /** Whether a create may be under way that made this disk and will go on. */
  boolean mayBecomeMore(JsonNode disk) {
    return text(disk, "status").equals("reserved")
        || created(disk).plus(AwkwardCompute.SETTLED_AFTER).isAfter(clock.instant());
  }

  private Stream<JsonNode> labelled(String kind, String label) {
    return client.all(kind).stream().filter(part -> text(part, "label").equals(label));
  }

  void deletePart(String path) {
    try {
      client.call("DELETE", path, "");
    } catch (BackendException.Gone e) {
      // It is not there, which is what was asked for.
    }
  }

  /** A part by its id; empty where the cloud says that there is none. */
  Optional<JsonNode> look(String path, String id) {
    if (id.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(client.get(path + id));
    } catch (BackendException.Gone e) {
      return Optional.empty();
    }
  }

  private static Optional<Marks> marks(JsonNode part, Owner owner) {
    return LABEL.read(text(part, "label"), owner);
  }

  private static String text(JsonNode part, String field) {
    return part.path(field).asString();
  }

  private static Instant created(JsonNode part) {
    return Instant.parse(text(part, "createdAt"));
  }

  @Override
  public boolean powerOffEndsBilling() {
    return false;
  }
}
