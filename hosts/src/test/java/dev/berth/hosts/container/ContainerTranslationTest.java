package dev.berth.hosts.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.docker.ContainerSpec;
import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContainerTranslationTest {
  private static final DockerHost.Given GIVEN =
      new DockerHost.Given(
          new ContainerSpec.Devices(List.of("GPU-a"), List.of(), List.of()),
          Map.of("BERTH_GPUS_NUM", "1"),
          Map.of("CUDA_VISIBLE_DEVICES", "GPU-a"));

  private static Map<String, String> environment(Container container, Map<String, String> own) {
    JobSpec spec =
        new JobSpec(
            null, List.of("true"), null, own, List.of(), null, null, JobSpec.Requirements.NONE);
    JobRequest request =
        new JobRequest("attempt", spec, new ResourceVector(1, 0, 0, 0, Set.of("GPU-a")));
    return ContainerTranslation.job(
            request.in(container),
            container,
            new DockerHost.Defaults("bridge", null, Map.of()),
            "bridge",
            _ -> true,
            GIVEN)
        .environment();
  }

  @Test
  void containerThatSeesOnlyItsOwnDevicesMayCountThemAsItLikes() {
    assertThat(environment(Container.of("i:1"), Map.of("CUDA_VISIBLE_DEVICES", "0")))
        .containsEntry("CUDA_VISIBLE_DEVICES", "0")
        .containsEntry("BERTH_GPUS_NUM", "1");
    assertThat(environment(Container.of("i:1"), Map.of("BERTH_GPUS_NUM", "7")))
        .containsEntry("BERTH_GPUS_NUM", "7")
        .doesNotContainKey("CUDA_VISIBLE_DEVICES");
  }

  @Test
  void containerThatSeesAllDevicesIsToldWhichAreItsOwn() {
    assertThat(environment(Container.of("i:1").asPrivileged(), Map.of("CUDA_VISIBLE_DEVICES", "0")))
        .containsEntry("CUDA_VISIBLE_DEVICES", "GPU-a");
  }
}
