package dev.berth.testkit.awkward;

import dev.berth.testkit.fake.FakeAnswer;
import dev.berth.testkit.fake.FakeApi;
import dev.berth.testkit.fake.FakeCloud;
import dev.berth.testkit.fake.FakeItem;
import dev.berth.testkit.fake.FakePage;
import dev.berth.testkit.fake.FakeRefusal;
import dev.berth.testkit.fake.FakeRequest;
import dev.berth.testkit.fake.FakeState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of the awkward cloud. */
public final class AwkwardCloud implements FakeCloud {
  static final String KEY = "right-key-77c2";
  static final int PAGE = 3;
  static final Duration LIST_LAG = Duration.ofSeconds(4);
  static final Duration ORDER_TIME = Duration.ofSeconds(20);
  private static final Duration BOOT_TIME = Duration.ofSeconds(40);
  private static final Duration DELETE_TIME = Duration.ofSeconds(5);
  private static final int LONGEST_LABEL = 32;
  private static final List<String> REGIONS = List.of("east", "west");
  private static final List<MachineType> TYPES =
      List.of(
          new MachineType("awk-1", 1, 2, 0.02),
          new MachineType("awk-2", 2, 4, 0.04),
          new MachineType("awk-4", 4, 8, 0.08),
          new MachineType("awk-8", 8, 16, 0.16));

  record MachineType(String name, int cpus, int memoryGb, double hourly) {}

  record Disk(
      String id,
      String label,
      String region,
      String status,
      @Nullable String machine,
      Instant createdAt) {
    Disk with(String newStatus, @Nullable String newMachine) {
      return new Disk(id, label, region, newStatus, newMachine, createdAt);
    }
  }

  record Address(
      String id,
      String label,
      String region,
      String ip,
      String status,
      @Nullable String machine,
      Instant createdAt) {
    Address with(String newStatus, @Nullable String newMachine) {
      return new Address(id, label, region, ip, newStatus, newMachine, createdAt);
    }
  }

  record Machine(
      String id,
      String label,
      String type,
      String region,
      String status,
      String disk,
      String address,
      String ip,
      Instant createdAt) {
    Machine with(String newStatus) {
      return new Machine(id, label, type, region, newStatus, disk, address, ip, createdAt);
    }
  }

  record Operation(String id, String status, @Nullable String machine, @Nullable String reason) {}

  @Override
  public String name() {
    return "awkward";
  }

  @Override
  public String summary() {
    return "machines, disks and addresses with one label of 32 characters; key " + KEY;
  }

  @Override
  public void define(FakeApi api) {
    api.authenticate(
        request -> {
          if (!request.bearer().equals(Optional.of(KEY))) {
            throw new FakeRefusal(401, "unauthorized", "the key is not known");
          }
        });
    api.errors(
        refusal ->
            FakeAnswer.json(
                refusal.status(),
                Map.of("error", Map.of("type", refusal.code(), "detail", refusal.sentence()))));
    api.bills("operation", _ -> false);
    api.read("account", "GET", "/v1/account", (_, _) -> FakeAnswer.ok(Map.of("name", "test")));
    api.read("types", "GET", "/v1/types", (request, _) -> types(request));
    for (String kind : List.of("disk", "address", "machine")) {
      String path = "/v1/" + plural(kind);
      api.read("list-" + kind, "GET", path, (request, state) -> list(kind, request, state))
          .lagging(LIST_LAG)
          .limited(20, Duration.ofSeconds(1));
      api.read(
          "show-" + kind, "GET", path + "/{id}", (request, state) -> show(kind, request, state));
    }
    api.read("show-operation", "GET", "/v1/operations/{id}", (r, s) -> show("operation", r, s));
    api.write("create-disk", "POST", "/v1/disks", AwkwardCloud::createDisk)
        .limited(3, Duration.ofSeconds(5));
    api.write("create-address", "POST", "/v1/addresses", AwkwardCloud::createAddress);
    api.write("order-machine", "POST", "/v1/machines", AwkwardCloud::order);
    api.write("delete-machine", "DELETE", "/v1/machines/{id}", AwkwardCloud::deleteMachine);
    api.write("delete-disk", "DELETE", "/v1/disks/{id}", (r, s) -> deletePart("disk", r, s));
    api.write(
        "delete-address", "DELETE", "/v1/addresses/{id}", (r, s) -> deletePart("address", r, s));
  }

  private static String plural(String kind) {
    return kind.equals("address") ? "addresses" : kind + "s";
  }

  private static FakeAnswer types(FakeRequest request) {
    FakePage<MachineType> page = FakePage.byNumber(TYPES, request.asked("page"), PAGE);
    return FakeAnswer.ok(
        Map.of("types", page.items(), "regions", REGIONS, "next_page", page.next().orElse("")));
  }

  private static FakeAnswer list(String kind, FakeRequest request, FakeState state) {
    FakePage<JsonNode> page =
        FakePage.byCursor(
            state.all(kind).stream().map(FakeItem::body).toList(), request.asked("cursor"), PAGE);
    Map<String, Object> answer = new HashMap<>();
    answer.put(plural(kind), page.items());
    answer.put("next", page.next().orElse(null));
    return FakeAnswer.ok(answer);
  }

  private static FakeAnswer show(String kind, FakeRequest request, FakeState state) {
    return FakeAnswer.ok(state.require(kind, request.parameter("id")).body());
  }

  record Part(String label, String region) {
    Part {
      if (label.length() > LONGEST_LABEL || !label.matches("[A-Za-z0-9._-]*")) {
        throw new FakeRefusal(422, "invalid", "a label has at most 32 letters, digits, - _ and .");
      }
      if (!REGIONS.contains(region)) {
        throw new FakeRefusal(422, "invalid", "there is no region \"" + region + "\"");
      }
    }
  }

  private static Part part(FakeRequest request) {
    JsonNode body = request.json();
    return new Part(body.path("label").asString(""), body.path("region").asString(""));
  }

  private static FakeAnswer createDisk(FakeRequest request, FakeState state) {
    Part part = part(request);
    String id = state.nextId("disk-");
    Disk disk = new Disk(id, part.label(), part.region(), "available", null, state.now());
    return FakeAnswer.json(201, state.put("disk", id, disk).body());
  }

  private static FakeAnswer createAddress(FakeRequest request, FakeState state) {
    Part part = part(request);
    String id = state.nextId("addr-");
    String ip = "203.0.113." + id.substring("addr-".length());
    Address address =
        new Address(id, part.label(), part.region(), ip, "available", null, state.now());
    return FakeAnswer.json(201, state.put("address", id, address).body());
  }

  /** Accepts an order: the machine comes some time later, or is refused then. */
  private static FakeAnswer order(FakeRequest request, FakeState state) {
    Part part = part(request);
    JsonNode body = request.json();
    String type = body.path("type").asString("");
    if (TYPES.stream().noneMatch(known -> known.name().equals(type))) {
      throw new FakeRefusal(422, "unknown_type", "there is no type \"" + type + "\"");
    }
    Disk disk = state.require("disk", body.path("disk").asString("")).as(Disk.class);
    Address address = state.require("address", body.path("address").asString("")).as(Address.class);
    if (!disk.status().equals("available") || !address.status().equals("available")) {
      throw new FakeRefusal(409, "in_use", "the disk or the address is in use");
    }
    String id = state.nextId("op-");
    Operation pending = new Operation(id, "pending", null, null);
    state.put("operation", id, pending);
    state.put("disk", disk.id(), disk.with("reserved", null));
    state.put("address", address.id(), address.with("reserved", null));
    state
        .refusedLater()
        .ifPresentOrElse(
            reason -> planRefusal(state, id, disk, address, reason),
            () -> planMachine(state, id, disk, address, part, type));
    return FakeAnswer.json(202, pending);
  }

  private static void planRefusal(
      FakeState state, String operation, Disk disk, Address address, String reason) {
    state.plan(
        "operation", operation, ORDER_TIME, new Operation(operation, "failed", null, reason));
    state.plan("disk", disk.id(), ORDER_TIME, disk);
    state.plan("address", address.id(), ORDER_TIME, address);
  }

  private static void planMachine(
      FakeState state, String operation, Disk disk, Address address, Part part, String type) {
    String id = state.nextId("vm-");
    Machine machine =
        new Machine(
            id,
            part.label(),
            type,
            part.region(),
            "booting",
            disk.id(),
            address.id(),
            address.ip(),
            state.now().plus(ORDER_TIME));
    state.plan("operation", operation, ORDER_TIME, new Operation(operation, "done", id, null));
    state.plan("disk", disk.id(), ORDER_TIME, disk.with("attached", id));
    state.plan("address", address.id(), ORDER_TIME, address.with("attached", id));
    state.plan("machine", id, ORDER_TIME, machine);
    state.plan("machine", id, BOOT_TIME, machine.with("active"));
  }

  private static FakeAnswer deleteMachine(FakeRequest request, FakeState state) {
    Machine machine = state.require("machine", request.parameter("id")).as(Machine.class);
    if (!machine.status().equals("deleting")) {
      state.put("machine", machine.id(), machine.with("deleting"));
      state.planRemoval("machine", machine.id(), DELETE_TIME);
      Disk disk = state.require("disk", machine.disk()).as(Disk.class);
      state.plan("disk", disk.id(), DELETE_TIME, disk.with("available", null));
      Address address = state.require("address", machine.address()).as(Address.class);
      state.plan("address", address.id(), DELETE_TIME, address.with("available", null));
    }
    return FakeAnswer.empty(202);
  }

  private static FakeAnswer deletePart(String kind, FakeRequest request, FakeState state) {
    FakeItem item = state.require(kind, request.parameter("id"));
    if (!item.body().path("status").asString("").equals("available")) {
      throw new FakeRefusal(409, "in_use", "a " + kind + " in use cannot be deleted");
    }
    state.remove(kind, item.id());
    return FakeAnswer.empty(204);
  }
}
