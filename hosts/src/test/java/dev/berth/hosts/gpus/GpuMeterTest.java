package dev.berth.hosts.gpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuMeterTest {
  @Test
  void whatToolsPrintIsRead() {
    assertThat(NvidiaSmi.parseUse("GPU-1, 0\nGPU-2, 100\nGPU-3, [Not Supported]\n"))
        .isEqualTo(Map.of("GPU-1", 0, "GPU-2", 100));
    assertThatThrownBy(() -> NvidiaSmi.parseUse("NVIDIA-SMI has failed"))
        .isInstanceOf(UnreadableOutputException.class);
    assertThat(
            RocmSmi.parseUse(
                """
                {"card1": {"Unique ID": "0x2", "GPU use (%)": "55"},
                 "card0": {"Unique ID": "0x1", "GPU use (%)": "4"},
                 "system": {}}
                """))
        .isEqualTo(Map.of("GPU-0000000000000001", 4, "GPU-0000000000000002", 55));
    List<Gpu> gpus = List.of(new Gpu("one", Vendor.AMD, "MI300X", 1, "one"));
    assertThat(
            AmdSmi.parseUse(
                "{\"gpu_data\": [{\"gpu\": 0, \"usage\": {\"gfx_activity\": {\"value\": 9}}}]}",
                gpus))
        .isEqualTo(Map.of("one", 9));
    assertThatThrownBy(() -> AmdSmi.parseUse("[]", gpus))
        .isInstanceOf(UnreadableOutputException.class)
        .hasMessage("it tells of 0 GPUs and lists 1");
  }
}
