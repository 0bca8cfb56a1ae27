package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.LABELS;
import static dev.berth.backends.sim.SimFixture.OWNER;
import static dev.berth.backends.sim.SimFixture.PLACE;
import static dev.berth.backends.sim.SimFixture.SPOT;
import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.machine;
import static dev.berth.backends.sim.SimFixture.marks;
import static dev.berth.backends.sim.SimFixture.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.JobObservation;
import dev.berth.model.Place;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Trait;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimProvisionerTest {
  private final SimFixture sim = SimFixture.of("gives: machines");

  @Test
  void a_machine_is_made_becomes_ready_leaves_and_is_gone() {
    Found made = sim.create(machine("m", PLACE));
    assertThat(made.state()).isEqualTo(Found.State.CREATING);
    assertThat(made.access()).isNull();
    assertThat(made.tags()).containsEntry(Marks.KEY, "m").containsEntry("cost", "42");
    assertThat(sim.listed()).containsExactly("i-000001");

    sim.clock.passSeconds(2);
    Found ready = sim.provisioner().describe(made.ref()).orElseThrow();
    assertThat(ready.state()).isEqualTo(Found.State.READY);
    MachineAddress access = Objects.requireNonNull(ready.access());
    assertThat(access.host()).isEqualTo("10.0.0.1");
    assertThat(access.port()).isEqualTo(2222);
    assertThat(access.user()).isEqualTo("berth");
    assertThat(access.privateAddress()).isEqualTo("172.16.0.1");
    assertThat(access.hostKey()).startsWith("ssh-ed25519 ");

    sim.provisioner().delete(made.ref());
    sim.provisioner().delete(made.ref());
    assertThat(sim.state(made.ref())).isEqualTo(Found.State.LEAVING);
    sim.clock.passSeconds(1);
    assertThat(sim.provisioner().describe(made.ref())).isEmpty();
    assertThat(sim.listed()).isEmpty();
    assertThatCode(() -> sim.provisioner().delete(made.ref())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void every_kind_is_made_listed_and_deleted(CreateRequest request) {
    Found made = sim.create(request);
    assertThat(made.ref().type()).isEqualTo(request.type());
    assertThat(sim.provisioner().find(OWNER, request.key(), "sim-north")).hasSize(1);
    assertThat(sim.provisioner().list(new Owner("another")).found()).isEmpty();
    sim.clock.passSeconds(2);
    assertThat(sim.state(made.ref())).isEqualTo(Found.State.READY);
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(1);
    assertThat(sim.provisioner().describe(made.ref())).isEmpty();
  }

  static Stream<CreateRequest> everyKind() {
    return Stream.of(
        machine("k", PLACE),
        machine("k", SPOT.in(null)),
        machine("k", PLACE.in(null).reserved("reserved-1")),
        new CreateRequest.Group(marks("k"), LABELS, PLACE, List.of(job("a"), job("b"))),
        volume("k", null),
        new CreateRequest.PlacementGroup(marks("k"), LABELS, PLACE),
        new CreateRequest.Gateway(marks("k"), LABELS, "sim-west", null, true, "", List.of()),
        new CreateRequest.Gateway(marks("k"), LABELS, "sim-west", null, false, "", List.of()),
        new CreateRequest.LoadBalancer(marks("k"), LABELS, "sim-west", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "unique_name"})
  void a_key_makes_one_thing_where_the_cloud_knows_it_again(String identity) {
    SimFixture known = SimFixture.of("gives: machines\nidentity: " + identity);
    Found first = known.create(machine("m", PLACE));
    assertThat(known.create(machine("m", PLACE)).ref()).isEqualTo(first.ref());
    known.clock.passSeconds(5);
    assertThat(known.create(machine("m", PLACE)).ref()).isEqualTo(first.ref());
    assertThat(known.listed()).hasSize(1);
  }

  @Test
  void a_key_makes_two_things_where_they_are_looked_up_and_lists_lag() {
    SimFixture lookup = SimFixture.of("gives: machines\nidentity: lookup");
    lookup.create(machine("m", PLACE));
    lookup.create(machine("m", PLACE));
    assertThat(lookup.provisioner().find(OWNER, "m", "sim-north")).isEmpty();
    lookup.clock.passSeconds(1);
    assertThat(lookup.provisioner().find(OWNER, "m", "sim-north")).hasSize(2);

    SimFixture containers = SimFixture.of("identity: lookup");
    containers.jobs().start(job("a", "sleep 9"));
    containers.jobs().start(job("a", "sleep 9"));
    assertThat(containers.jobs().list(OWNER)).isEmpty();
    containers.clock.passSeconds(1);
    assertThat(containers.jobs().list(OWNER)).containsExactly("a", "a");
    containers.jobs().remove("a");
    assertThat(containers.jobs().list(OWNER)).isEmpty();
  }

  @Test
  void a_token_whose_thing_is_gone_makes_no_other_and_a_free_name_does() {
    Found made = sim.create(volume("v", null));
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(1);
    assertThatThrownBy(() -> sim.create(volume("v", null)))
        .isInstanceOf(BackendException.Gone.class);

    SimFixture names = SimFixture.of("identity: unique_name");
    Found named = names.create(volume("v", null));
    names.provisioner().delete(named.ref());
    names.clock.passSeconds(1);
    assertThat(names.create(volume("v", null)).ref().id()).isNotEqualTo(named.ref().id());
  }

  @Test
  void a_group_is_made_whole_or_not_at_all() {
    SimFixture scarce =
        SimFixture.of(
            """
            scenario:
              stock: [{instance_type: sim-cpu-2, zone: sim-north-a, count: 2}]
            """);
    CreateRequest three =
        new CreateRequest.Group(marks("g"), LABELS, PLACE, List.of(job("a"), job("b"), job("c")));
    assertThatThrownBy(() -> scarce.create(three)).isInstanceOf(BackendException.NoCapacity.class);
    assertThat(scarce.jobs().list(OWNER)).isEmpty();
    assertThat(scarce.listed()).isEmpty();

    Found two =
        scarce.create(
            new CreateRequest.Group(
                marks("h"), LABELS, PLACE, List.of(job("a"), job("b", "sleep 9"))));
    assertThat(two.members()).hasSize(2);
    scarce.clock.passSeconds(2);
    assertThat(scarce.observe("b")).isInstanceOf(JobObservation.Running.class);
    scarce.provisioner().delete(two.ref());
    assertThat(scarce.end("b").cause()).isEqualTo(JobObservation.Cause.KILLED);
    scarce.clock.passSeconds(1);
    assertThat(scarce.jobs().list(OWNER)).isEmpty();
  }

  @Test
  void volumes_are_attached_to_one_machine_in_their_zone() {
    Found disk = sim.create(volume("v", "sim-north-a"));
    Found one = sim.ready("one");
    Found other = sim.ready("other");
    Found far = sim.create(machine("far", PLACE.in("sim-north-b")));

    assertThatThrownBy(() -> sim.volumes().attach(disk.ref(), far.ref()))
        .isInstanceOf(BackendException.Permanent.class);
    String device = sim.volumes().attach(disk.ref(), one.ref());
    assertThat(sim.volumes().attach(disk.ref(), one.ref())).isEqualTo(device);
    assertThatThrownBy(() -> sim.volumes().attach(disk.ref(), other.ref()))
        .isInstanceOf(BackendException.Permanent.class);
    assertThatThrownBy(() -> sim.provisioner().delete(disk.ref()))
        .isInstanceOf(BackendException.Transient.class);
    assertThat(sim.volumes().isDetached(disk.ref())).isFalse();

    sim.volumes().detach(disk.ref(), other.ref(), false);
    sim.volumes().detach(disk.ref(), one.ref(), false);
    assertThat(sim.volumes().isDetached(disk.ref())).isFalse();
    assertThatThrownBy(() -> sim.volumes().attach(disk.ref(), one.ref()))
        .isInstanceOf(BackendException.Transient.class);
    sim.volumes().detach(disk.ref(), one.ref(), true);
    assertThat(sim.volumes().isDetached(disk.ref())).isTrue();

    sim.volumes().attach(disk.ref(), other.ref());
    sim.provisioner().delete(other.ref());
    sim.clock.passSeconds(1);
    assertThat(sim.volumes().isDetached(disk.ref())).isTrue();
    assertThatThrownBy(() -> sim.volumes().attach(disk.ref(), other.ref()))
        .isInstanceOf(BackendException.Gone.class);
  }

  @Test
  void a_machine_comes_with_its_volumes_in_their_zone() {
    Found disk = sim.create(volume("v", "sim-north-b"));
    var request = SimFixture.machine("m", PLACE.in(null), List.of(disk.ref()), null);
    assertThat(sim.create(request).ref().data()).containsEntry("zone", "sim-north-b");
    assertThat(sim.volumes().isDetached(disk.ref())).isFalse();
  }

  @Test
  void each_volume_of_a_machine_has_a_device_of_its_own() {
    Found machine = sim.ready("m");
    Found one = sim.create(volume("one", "sim-north-a"));
    Found two = sim.create(volume("two", "sim-north-a"));
    Found three = sim.create(volume("three", "sim-north-a"));
    String first = sim.volumes().attach(one.ref(), machine.ref());
    String second = sim.volumes().attach(two.ref(), machine.ref());
    sim.volumes().detach(one.ref(), machine.ref(), true);
    assertThat(sim.volumes().attach(three.ref(), machine.ref())).isEqualTo(first);
    assertThat(second).isNotEqualTo(first);
  }

  @Test
  void a_container_job_holds_a_volume_by_its_key_until_it_ends() {
    SimFixture containers = SimFixture.of("");
    Found disk = containers.create(volume("v", "sim-north-a"));
    containers.jobs().start(job("a", "sleep 5"));
    ResourceRef holder = new ResourceRef(ResourceType.JOB, "a", "a", "sim-north", Map.of());
    containers.volumes().attach(disk.ref(), holder);
    assertThat(containers.volumes().isDetached(disk.ref())).isFalse();
    containers.volumes().detach(disk.ref(), holder, true);
    assertThat(containers.volumes().isDetached(disk.ref())).isTrue();
    containers.volumes().attach(disk.ref(), holder);
    containers.clock.passSeconds(7);
    assertThat(containers.volumes().isDetached(disk.ref())).isTrue();
  }

  @Test
  void volumes_of_others_are_registered_and_never_listed() {
    SimFixture shared = SimFixture.of("scenario: {foreign: 2}");
    assertThat(shared.listed()).isEmpty();
    assertThat(shared.jobs().list(OWNER)).isEmpty();
    assertThat(shared.jobs().list(new Owner("somebody-else"))).hasSize(2);
    assertThat(shared.volumes().register("vol-000001", "sim-north").ref().type())
        .isEqualTo(ResourceType.VOLUME);
    assertThatThrownBy(() -> shared.volumes().register("vol-000001", "sim-west"))
        .isInstanceOf(BackendException.Gone.class);
  }

  @Test
  void a_placement_group_in_use_is_not_deleted() {
    Found group = sim.create(new CreateRequest.PlacementGroup(marks("p"), LABELS, PLACE));
    var request = SimFixture.machine("m", PLACE, List.of(), group.ref());
    Found inside = sim.create(request);
    assertThatThrownBy(() -> sim.provisioner().delete(group.ref()))
        .isInstanceOf(BackendException.Transient.class);
    sim.provisioner().delete(inside.ref());
    sim.clock.passSeconds(1);
    sim.provisioner().delete(group.ref());

    var groups = sim.compute.placementGroups().orElseThrow();
    assertThat(groups.suits(group.ref(), PLACE)).isTrue();
    assertThat(groups.suits(group.ref(), PLACE.in("sim-north-b"))).isFalse();
  }

  @Test
  void gateways_are_put_behind_a_load_balancer() {
    Found balancer =
        sim.create(new CreateRequest.LoadBalancer(marks("l"), LABELS, "sim-west", null));
    Found gateway =
        sim.create(
            new CreateRequest.Gateway(marks("g"), LABELS, "sim-west", null, true, "", List.of()));
    var balancers = sim.compute.loadBalancers().orElseThrow();
    balancers.register(balancer.ref(), gateway.ref());
    balancers.register(balancer.ref(), gateway.ref());
    assertThat(sim.provisioner().describe(balancer.ref()).orElseThrow().members())
        .containsExactly(gateway.ref().id());
    balancers.deregister(balancer.ref(), gateway.ref());
    balancers.deregister(balancer.ref(), gateway.ref());
    assertThat(sim.provisioner().describe(balancer.ref()).orElseThrow().members()).isEmpty();
    ResourceRef missing =
        new ResourceRef(ResourceType.GATEWAY, "x", "gw-999999", "sim-west", Map.of());
    assertThatThrownBy(() -> balancers.register(balancer.ref(), missing))
        .isInstanceOf(BackendException.Gone.class);
  }

  @Test
  void what_cannot_be_had_is_refused_and_nothing_is_made() {
    Place nowhere = new Place("mars", null, "sim-cpu-2", false, 0, "{}", null, null);
    Place noType = new Place("sim-north", null, "big", false, 0, "{}", null, null);
    for (Place wrong :
        List.of(nowhere, noType, PLACE.in("sim-west-a"), PLACE.reserved("unknown"))) {
      assertThatThrownBy(() -> sim.create(machine("m", wrong)))
          .isInstanceOf(BackendException.Permanent.class);
    }
    assertThat(sim.listed()).isEmpty();
  }

  @Test
  void a_cloud_without_traits_refuses_them() {
    SimFixture poor =
        SimFixture.of(
            """
            gives: machines
            without: [spot, groups, volumes, placement_groups, gateways, private_gateways,
              gateway_load_balancers, reservations]
            """);
    everyKind()
        .skip(1)
        .forEach(
            request ->
                assertThatThrownBy(() -> poor.create(request))
                    .isInstanceOf(BackendException.Unsupported.class));
    assertThat(poor.compute.volumes()).isEmpty();
    assertThat(poor.compute.placementGroups()).isEmpty();
    assertThat(poor.compute.loadBalancers()).isEmpty();
    SimFixture mute = SimFixture.of("without: [exec, connect, images, queue_position, rewriting]");
    assertThat(mute.compute.queue()).isEmpty();
    assertThat(mute.compute.rewriting()).isEmpty();
    assertThatThrownBy(() -> mute.jobs().exec("a", List.of("echo")))
        .isInstanceOfSatisfying(
            BackendException.Unsupported.class,
            refused -> assertThat(refused.trait()).isEqualTo(Trait.EXEC));
    assertThatThrownBy(() -> mute.jobs().start(job("a")))
        .isInstanceOf(BackendException.Unsupported.class);
  }
}
