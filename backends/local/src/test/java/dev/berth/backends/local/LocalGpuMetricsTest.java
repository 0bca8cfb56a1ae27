package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.gpus.FakeTools;
import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.Trait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalGpuMetricsTest {
  private static final String NVIDIA =
      """
      #!/bin/sh
      case $1 in
        *utilization.gpu*) echo 'GPU-aaaa, 7'; echo 'GPU-bbbb, 98'; echo 'GPU-cccc, [N/A]';;
        *) for i in aaaa bbbb cccc; do echo "GPU-$i, NVIDIA A100-SXM4-80GB, 81920"; done;;
      esac
      """;
  private static final String AMD =
      """
      #!/bin/sh
      if [ "$1" = metric ]; then
        echo '[{"gpu": 0, "usage": {"gfx_activity": {"value": 3, "unit": "%"}}},'
        echo ' {"gpu": 1, "usage": {"gfx_activity": "N/A"}}]'
        exit
      fi
      """
          + FakeTools.TWO_AMD.substring("#!/bin/sh\n".length());

  @TempDir Path folder;

  @Test
  void eachJobHasTheUseOfItsOwnDevices() throws Exception {
    FakeTools tools = new FakeTools(folder).with("nvidia-smi", NVIDIA).with("amd-smi", AMD);
    try (LocalFixture local = new LocalFixture(folder, tools.inventory())) {
      assertThat(local.compute.traits().has(Trait.GPU_METRICS)).isTrue();
      GpuMetrics metrics = local.compute.gpuMetrics().orElseThrow();
      GpuMetrics.Holder both = started(local, "both", "GPU-bbbb", "GPU-aaaa");
      GpuMetrics.Holder parts = started(local, "parts", "GPU-cccc");
      GpuMetrics.Holder amd = started(local, "amd", "GPU-0000000000000001");
      GpuMetrics.Holder mute = started(local, "mute", "GPU-0000000000000002");
      GpuMetrics.Holder none = started(local, "none");
      GpuMetrics.Holder unknown = new GpuMetrics.Holder("unknown", Set.of("GPU-aaaa"));
      assertThat(metrics.utilisation(List.of(both, parts, amd, mute, none, unknown)))
          .isEqualTo(Map.of("both", List.of(7, 98), "amd", List.of(3)));

      local.runtime.kill("both");
      assertThat(metrics.utilisation(List.of(both))).isEmpty();

      tools.with("nvidia-smi", "#!/bin/sh\necho 'no driver' >&2\nexit 9\n");
      assertThat(metrics.utilisation(List.of(parts, amd))).containsOnlyKeys("amd");
      assertThatThrownBy(() -> metrics.utilisation(List.of(parts)))
          .isInstanceOf(BackendException.Transient.class)
          .hasMessageContaining("no driver");
    }
  }

  private static GpuMetrics.Holder started(LocalFixture local, String id, String... devices)
      throws InterruptedException {
    local.runtime.start(local.request(id, Set.of(devices), List.of(), "sleep 600"));
    local.await(id, JobObservation.Running.class::isInstance);
    return new GpuMetrics.Holder(id, Set.of(devices));
  }

  @Test
  void withoutGpusThatCanBeMeasuredThereIsNothingToTell() throws IOException {
    try (LocalFixture local = new LocalFixture(folder)) {
      assertThat(local.compute.traits().has(Trait.GPU_METRICS)).isFalse();
      assertThat(local.compute.gpuMetrics()).isEmpty();
    }
  }
}
