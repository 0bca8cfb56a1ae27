package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Boot;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.PlacementGroupRequest;
import dev.berth.model.Resource;
import dev.berth.model.ResourceRequest;
import dev.berth.model.ResourceType;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BootWay;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import dev.berth.spi.Listing;
import dev.berth.spi.Offers;
import dev.berth.spi.Owner;
import dev.berth.spi.PlacementGroups;
import dev.berth.spi.Provisioner;
import dev.berth.spi.Reach;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Traits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a backend is asked for where machines shall be near each other. */
final class PlacementGroupCallsTest {
  private static final Boot BOOT = new Boot("#!/bin/sh", List.of("ssh-ed25519 AAAA"));
  private static final CatalogItem OFFER =
      new CatalogItem(
          "cloud",
          "large",
          "eu-1",
          "eu-1a",
          1,
          8,
          CpuArchitecture.X86,
          16_384,
          null,
          null,
          false,
          List.of(),
          CatalogItem.NO_PROVIDER_DATA,
          List.of());

  private static final MachineRequest.Group GROUP =
      new MachineRequest.Group("f1-g0", new Resource.Ref("pg-1", "eu-1", Map.of("zone", "eu-1a")));

  private final Machines machines = new Machines();
  private final ActionCalls calls =
      new ActionCalls(
          Map.of("cloud", machines),
          Samples.NO_MACHINES,
          new Owner("tests"),
          new SettableClock(),
          _ -> {},
          SecretSource.NONE,
          ReleaseGate.NONE,
          Leadership.KEPT);

  private static Action create(
      String key, ResourceType type, String instanceType, MachineRequest.@Nullable Group group) {
    return create(key, type, instanceType, group, BOOT);
  }

  private static Action create(
      String key,
      ResourceType type,
      String instanceType,
      MachineRequest.@Nullable Group group,
      Boot boot) {
    Place place = new Place("eu-1", "eu-1a", instanceType, false, 1, "{}", null, null);
    Resource resource =
        new Resource(key, "", "f1", "cloud", type, Resource.State.INTENDED, null, null, null);
    Map<String, String> tags = Map.of("team", "ml");
    ResourceRequest request =
        type == ResourceType.PLACEMENT_GROUP
            ? new PlacementGroupRequest(place, "lab-0", tags, 7L)
            : new MachineRequest(place, OFFER, "lab-0", 1_024L, tags, group, boot, 7L);
    return Action.now(key + "-create", new Operation.Create(request), resource, Instant.MAX);
  }

  @Test
  void aGroupIsAskedForAtThePlaceOfItsMachines() {
    ActionOutcome outcome =
        calls.call(create("f1-g0", ResourceType.PLACEMENT_GROUP, "large", null), false);
    assertThat(outcome).isInstanceOf(ActionOutcome.Created.class);
    assertThat(machines.asked)
        .singleElement()
        .isInstanceOfSatisfying(
            CreateRequest.PlacementGroup.class,
            asked -> {
              assertThat(asked.key()).isEqualTo("f1-g0");
              assertThat(asked.place().zone()).isEqualTo("eu-1a");
              assertThat(asked.labels()).containsEntry("team", "ml");
              assertThat(asked.tags()).containsEntry("berth-key", "f1-g0");
            });
  }

  @Test
  void aMachineIsAskedForInItsGroup() {
    calls.call(create("f1-0", ResourceType.INSTANCE, "large", GROUP), false);
    calls.call(create("f1-1", ResourceType.INSTANCE, "small", null), false);
    assertThat(machines.asked)
        .extracting(asked -> ((CreateRequest.Machine) asked).placementGroup())
        .containsExactly(
            new ResourceRef(
                ResourceType.PLACEMENT_GROUP, "f1-g0", "pg-1", "eu-1", Map.of("zone", "eu-1a")),
            null);
  }

  @Test
  void aRepeatedRequestIsEqualToTheFirstAndCarriesAllThatWasPinned() {
    Action create = create("f1-0", ResourceType.INSTANCE, "large", null);
    calls.call(create, false);
    calls.call(create, true);
    assertThat(machines.asked).hasSize(2);
    assertThat(machines.asked.getLast()).isEqualTo(machines.asked.getFirst());
    CreateRequest.Machine asked = (CreateRequest.Machine) machines.asked.getFirst();
    assertThat(asked.offer()).isEqualTo(OFFER);
    assertThat(asked.diskMib()).isEqualTo(1_024);
    assertThat(asked.boot()).isEqualTo(BOOT.text());
    assertThat(asked.sshKeys()).isEqualTo(BOOT.sshKeys());
    assertThat(asked.marks().seq()).isEqualTo(7);
  }

  @Test
  void aBootTextThatTheProviderDoesNotTakeIsRefusedBeforeAnythingIsMade() {
    Boot longest = new Boot("é".repeat(BootWay.CloudInit.USUAL.maxBytes() / 2), List.of());
    Boot tooLong = new Boot(longest.text() + "#", List.of());
    assertThat(calls.call(create("f1-0", ResourceType.INSTANCE, "large", null, longest), false))
        .isInstanceOf(ActionOutcome.Created.class);
    assertThat(calls.call(create("f1-1", ResourceType.INSTANCE, "large", null, tooLong), false))
        .isEqualTo(
            new ActionOutcome.Failed(
                "what the machine does first is a text of 16385 bytes, and its provider takes at"
                    + " most 16384",
                false));
    assertThat(machines.asked).hasSize(1);
  }

  @Test
  void whatCannotBeInItsGroupIsNotAskedFor() {
    assertThat(calls.call(create("f1-0", ResourceType.INSTANCE, "small", GROUP), false))
        .isEqualTo(
            new ActionOutcome.Failed(
                "machines of type small cannot be in the placement group pg-1", false));
    assertThat(machines.asked).isEmpty();
  }

  /** Makes whatever it is asked for; only large machines can be in groups. */
  private static final class Machines implements Compute, Provisioner, PlacementGroups {
    final List<CreateRequest> asked = new ArrayList<>();

    @Override
    public Found create(CreateRequest request) {
      asked.add(request);
      return Found.of(
          new ResourceRef(request.type(), request.key(), "x-1", "eu-1", Map.of()),
          Found.State.READY,
          Instant.EPOCH);
    }

    @Override
    public boolean suits(ResourceRef group, Place place) {
      return place.instanceType().equals("large");
    }

    @Override
    public boolean allowReservations() {
      return true;
    }

    @Override
    public void delete(ResourceRef ref) {
      throw new UnsupportedOperationException("nothing is deleted here");
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      return Optional.empty();
    }

    @Override
    public Listing list(Owner owner) {
      return Listing.all(List.of());
    }

    @Override
    public boolean powerOffEndsBilling() {
      return true;
    }

    @Override
    public Traits traits() {
      return Traits.of(Traits.Base.MACHINES);
    }

    @Override
    public Identity identity() {
      return new Identity.UniqueName();
    }

    @Override
    public Reach reach() {
      return Reach.ENGINE;
    }

    @Override
    public Offers offers() {
      return new Offers.OwnMachines();
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return Optional.of(this);
    }

    @Override
    public Optional<PlacementGroups> placementGroups() {
      return Optional.of(this);
    }

    @Override
    public void close() {
      // There is nothing to let go of.
    }
  }
}
