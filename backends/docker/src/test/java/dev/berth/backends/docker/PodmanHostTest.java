package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.gpus.FakeTools;
import dev.berth.model.Accelerator;
import dev.berth.spi.Compute;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.PODMAN)
class PodmanHostTest extends HostGifts {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }

  /** It takes the request for one, and starts the container without. */
  @Test
  void gpusOfNvidiaAreNotOffered() throws Exception {
    FakeGpus machine =
        FakeGpus.in(directory.resolve("gpus"))
            .with("nvidia-smi", FakeTools.TWO_NVIDIA)
            .with("amd-smi", FakeTools.TWO_AMD)
            .withToolkit()
            .withAmdFiles();
    try (Compute compute = machine.open(engine().host(), Map.of())) {
      assertThat(compute.ownMachines().getFirst().accelerators())
          .extracting(Accelerator::vendor)
          .containsExactly("amd", "amd");
    }
  }

  @Test
  void privilegedMayMount() throws Exception {
    assertThat(
            printed(
                jobs(),
                busybox().asPrivileged(),
                "mount -t tmpfs none /srv",
                "grep -c ' /srv tmpfs' /proc/mounts"))
        .isEqualTo("1\n");
  }
}
