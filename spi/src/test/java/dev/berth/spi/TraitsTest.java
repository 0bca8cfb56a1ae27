package dev.berth.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.AttachedVolume;
import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraitsTest {
  private static final Place PLACE = new Place("eu-1", null, "small", false, 1, "{}", null, null);
  private static final Traits CONTAINERS = Traits.of(Traits.Base.CONTAINERS);

  private static JobRequest job() {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("echo"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    return new JobRequest("a1", spec, ResourceVector.NOTHING).at(PLACE);
  }

  private static void assertRefused(Trait trait, Traits traits, JobRequest request) {
    assertThatThrownBy(() -> JobRuntime.requireOnly(request, traits))
        .isInstanceOfSatisfying(
            BackendException.Unsupported.class,
            refused -> assertThat(refused.trait()).isEqualTo(trait))
        .hasMessage("this backend has no " + trait.words());
  }

  @Test
  void machinesHavePrivilegedAndInstanceVolumesWithoutDeclaringThem() {
    Traits machines = Traits.of(Traits.Base.MACHINES).without(Trait.VOLUMES);
    assertThat(machines.all())
        .contains(Trait.PRIVILEGED, Trait.INSTANCE_VOLUMES, Trait.BLOCKS, Trait.REUSE);
    assertThat(machines.missing()).contains(Trait.VOLUMES);
    assertThatThrownBy(() -> machines.without(Trait.PRIVILEGED)).hasMessageContaining("by itself");
  }

  @Test
  void whatContainersCannotDoIsRefusedUnlessItIsDeclared() {
    Container container = Container.of("busybox");
    Container mounting = container.withMounts(List.of(new Container.Mount("/data", "/data")));
    JobRequest reusing = job().at(PLACE.on("i-1"));
    assertRefused(Trait.PRIVILEGED, CONTAINERS, job().in(container.asPrivileged()));
    assertRefused(Trait.INSTANCE_VOLUMES, CONTAINERS, job().in(mounting));
    assertRefused(Trait.REUSE, CONTAINERS, reusing);
    assertThat(CONTAINERS.has(Trait.BLOCKS)).isFalse();
    JobRuntime.requireOnly(job().in(container.asPrivileged()), CONTAINERS.with(Trait.PRIVILEGED));
    JobRuntime.requireOnly(job().in(container), CONTAINERS);
  }

  @Test
  void whatIsOptedOutOfIsRefused() {
    assertRefused(Trait.IMAGES, CONTAINERS.without(Trait.IMAGES), job().in(Container.of("x")));
    Place spot = new Place("eu-1", null, "small", true, 1, "{}", null, null);
    assertRefused(Trait.SPOT, CONTAINERS.without(Trait.SPOT), job().at(spot));
    assertRefused(
        Trait.RESERVATIONS,
        CONTAINERS.without(Trait.RESERVATIONS),
        job().at(PLACE.reserved("r-1")));
  }

  @Test
  void anEntrypointHasAtMostTwoKilobytes() {
    Container container = Container.of("x").withEntrypoint("a".repeat(2048));
    JobRuntime.requireOnly(job().in(container), CONTAINERS);
    Container longer = Container.of("x").withEntrypoint("ä".repeat(1025));
    assertThatThrownBy(() -> JobRuntime.requireOnly(job().in(longer), CONTAINERS))
        .isInstanceOf(BackendException.Permanent.class)
        .hasMessageContaining("2048 bytes");
  }

  @Test
  void volumesOfJobsNeedContainersAndTheTrait() {
    JobRequest job =
        job().with(List.of(new AttachedVolume("k", "vol-1", "eu-1", Map.of(), "/data")));
    JobRuntime.requireOnly(job, CONTAINERS);
    assertThatThrownBy(() -> JobRuntime.requireOnly(job, CONTAINERS.without(Trait.VOLUMES)))
        .hasMessage("this backend has no volumes");
    assertThatThrownBy(() -> JobRuntime.requireOnly(job, Traits.of(Traits.Base.MACHINES)))
        .isInstanceOf(BackendException.Permanent.class)
        .hasMessageContaining("create the machine with them");
    assertThatThrownBy(() -> new AttachedVolume("k", "vol-1", "eu-1", Map.of(), "data"))
        .hasMessageContaining("absolute path");
  }

  @Test
  void resourcesNeedTheirTraits() {
    Marks marks = new Marks(new Owner("me"), "k", 1);
    Map<String, String> labels = Map.of("berth-owner", "somebody", "team", "ml");
    CreateRequest volume = new CreateRequest.Volume(marks, labels, "eu-1", null, 1024);
    assertThatThrownBy(() -> volume.requireOnly(CONTAINERS.without(Trait.VOLUMES)))
        .hasMessage("this backend has no volumes");
    CreateRequest hidden =
        new CreateRequest.Gateway(marks, labels, "eu-1", null, false, "", List.of());
    assertThatThrownBy(() -> hidden.requireOnly(CONTAINERS.without(Trait.PRIVATE_GATEWAYS)))
        .hasMessage("this backend has no private gateways");
    // A label cannot hide a mark.
    assertThat(volume.tags())
        .containsEntry("berth-owner", "me")
        .containsEntry("berth-key", "k")
        .containsEntry("team", "ml");
    volume.requireOnly(CONTAINERS);
    hidden.requireOnly(CONTAINERS);
  }
}
