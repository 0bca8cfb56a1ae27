package dev.berth.testkit.awkward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Place;
import dev.berth.model.Secret;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.testkit.fake.FakeFault;
import dev.berth.testkit.fake.FakeProvider;
import dev.berth.testkit.fake.FaultRule;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kit does not ask of the awkward backend, since other clouds do not have it. */
class AwkwardProvisionerTest {
  private static final String REGION = "east";
  private static final Owner OWNER = new Owner("0123456789abcdef");

  private FakeProvider cloud;
  private AwkwardClient client;
  private AwkwardProvisioner machines;
  private CatalogItem offer;

  @BeforeEach
  void start() throws IOException {
    cloud = FakeProvider.start(new AwkwardCloud());
    client =
        new AwkwardClient(
            new AwkwardConfig(
                new AwkwardConfig.ApiKey(Secret.of(AwkwardCloud.KEY)), cloud.address().toString()));
    machines = new AwkwardProvisioner(client, OWNER, cloud.clock());
    offer =
        new AwkwardOffers(client, cloud.clock()).fetch(OfferFilter.ANY, false).items().getFirst();
  }

  @AfterEach
  void stop() {
    client.close();
    cloud.close();
  }

  private CreateRequest machine(String key) {
    Marks marks = new Marks(OWNER, key, 5);
    return new CreateRequest.Machine(
        marks, Map.of(), Place.of(offer), offer, null, "", List.of(), List.of(), null);
  }

  private Found shown(Found made) {
    return machines.describe(made.ref()).orElseThrow();
  }

  @Test
  void anOrderThatIsRefusedLaterFailsWithTheReasonAndCanBeDeleted() {
    cloud.faults().add(FaultRule.of(new FakeFault.RefusedLater("no capacity")).on("order-machine"));
    Found made = machines.create(machine("late"));
    assertThat(shown(made).state()).isEqualTo(Found.State.CREATING);
    cloud.clock().advance(AwkwardCloud.ORDER_TIME);
    assertThat(shown(made).state()).isEqualTo(Found.State.FAILED);
    assertThat(shown(made).detail()).isEqualTo("no capacity");
    cloud.clock().advance(Duration.ofMinutes(1));
    machines.delete(made.ref());
    assertThat(machines.describe(made.ref())).isEmpty();
    assertThat(cloud.inventory().leftovers()).isEmpty();
  }

  @Test
  void aRollBackThatFailsIsInDoubtAndWhatItLeftIsShown() {
    cloud
        .faults()
        .add(FaultRule.of(new FakeFault.Refused(422, "no", "no")).on("order-machine").atCall(1));
    cloud
        .faults()
        .add(FaultRule.of(new FakeFault.Refused(500, "no", "no")).on("delete-disk").atCall(1));
    assertThatThrownBy(() -> machines.create(machine("half")))
        .isInstanceOf(BackendException.Transient.class);
    cloud.clock().advance(AwkwardCloud.LIST_LAG);
    assertThat(machines.find(OWNER, "half", REGION))
        .extracting(Found::state)
        .containsExactly(Found.State.CREATING);
    cloud.clock().advance(Duration.ofMinutes(2));
    Found left = machines.find(OWNER, "half", REGION).getFirst();
    assertThat(left.state()).isEqualTo(Found.State.FAILED);
    machines.delete(left.ref());
    assertThat(cloud.inventory().leftovers()).isEmpty();
  }

  @Test
  void twoMachinesOfOneKeyAreDeletedOneByOne() {
    Found first = machines.create(machine("twice"));
    Found second = machines.create(machine("twice"));
    cloud.clock().advance(Duration.ofMinutes(3));
    machines.delete(first.ref());
    cloud.clock().advance(Duration.ofMinutes(1));
    // By what a list shows, which does not know the address of the first one any more.
    for (Found found : machines.find(OWNER, "twice", REGION)) {
      if (found.ref().id().equals(first.ref().id())) {
        machines.delete(found.ref());
      }
    }
    assertThat(machines.describe(first.ref())).isEmpty();
    assertThat(shown(second).state()).isEqualTo(Found.State.READY);
    assertThat(cloud.inventory().leftovers())
        .extracting(entry -> entry.kind())
        .containsExactlyInAnyOrder("disk", "address", "machine");
  }

  @Test
  void anAddressThatTheListDoesNotShowYetIsNotForgotten() {
    cloud.faults().add(FaultRule.of(new FakeFault.LostAfter()).on("create-address").atCall(1));
    assertThatThrownBy(() -> machines.create(machine("young")))
        .isInstanceOf(BackendException.Transient.class);
    cloud.clock().advance(AwkwardCloud.LIST_LAG);
    Found half = machines.find(OWNER, "young", REGION).getFirst();
    assertThatThrownBy(() -> machines.delete(half.ref()))
        .isInstanceOf(BackendException.Transient.class);
    cloud.clock().advance(Duration.ofMinutes(2));
    machines.delete(half.ref());
    assertThat(cloud.inventory().leftovers()).isEmpty();
  }
}
