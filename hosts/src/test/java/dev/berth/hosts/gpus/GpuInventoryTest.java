package dev.berth.hosts.gpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuInventoryTest {
  @TempDir Path folder;

  @Test
  void withoutToolsThereAreNone() {
    assertThat(new FakeTools(folder).inventory().look()).isEmpty();
  }

  @Test
  void allVendorsAreAsked() throws IOException {
    GpuInventory inventory =
        new FakeTools(folder)
            .with("nvidia-smi", FakeTools.TWO_NVIDIA)
            .with("amd-smi", FakeTools.TWO_AMD)
            .inventory();
    assertThat(inventory.look())
        .extracting(Gpu::id)
        .containsExactly("GPU-aaaa", "GPU-bbbb", "GPU-0000000000000001", "GPU-0000000000000002");
  }

  @Test
  void theSecondToolOfAVendorIsAskedWhenTheFirstFails() throws IOException {
    GpuInventory inventory =
        new FakeTools(folder)
            .with("amd-smi", "#!/bin/sh\necho 'no driver' >&2\nexit 1\n")
            .with(
                "rocm-smi",
                "#!/bin/sh\necho '{\"card0\": {\"Card Series\": \"AMD Instinct MI210\"}}'\n")
            .inventory();
    assertThat(inventory.look()).extracting(Gpu::name).containsExactly("MI210");
  }

  @Test
  void aToolThatFailsOrTalksNonsenseMeansNone() throws IOException {
    GpuInventory inventory =
        new FakeTools(folder)
            .with("nvidia-smi", "#!/bin/sh\necho 'NVIDIA-SMI has failed'\nexit 9\n")
            .with("amd-smi", "#!/bin/sh\nprintf '\\377\\376'\n")
            .with("rocm-smi", "no script at all")
            .inventory();
    assertThat(inventory.look()).isEmpty();
  }

  @Test
  void aToolThatHangsIsKilledWithItsChildren() throws IOException {
    Path pid = folder.resolve("pid");
    FakeTools tools =
        new FakeTools(folder)
            .with("nvidia-smi", "#!/bin/sh\nsleep 1000 &\necho $! >" + pid + "\nwait\n");
    // A busy machine may take longer than that to get so far as to hang.
    for (Duration limit = Duration.ofSeconds(1);
        Files.notExists(pid) || Files.size(pid) == 0;
        limit = limit.multipliedBy(2)) {
      assertThat(tools.inventory(limit).look()).isEmpty();
    }
    long child = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(child).ifPresent(handle -> handle.onExit().join());
  }

  @Test
  void whatWasSeenIsRemembered() throws IOException {
    FakeTools tools = new FakeTools(folder).with("nvidia-smi", FakeTools.TWO_NVIDIA);
    GpuInventory inventory = tools.inventory();
    assertThat(inventory.seen()).hasSize(2);
    tools.with("nvidia-smi", "#!/bin/sh\nexit 9\n");
    assertThat(inventory.look()).isEmpty();
    assertThat(inventory.seen()).extracting(Gpu::id).containsExactly("GPU-aaaa", "GPU-bbbb");
  }
}
