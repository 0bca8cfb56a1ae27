package dev.berth.hosts.gpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceVariablesTest {
  private static final Gpu FIRST = new Gpu("GPU-a", Vendor.NVIDIA, "A100", 81920, "GPU-a");
  private static final Gpu SECOND = new Gpu("GPU-b", Vendor.NVIDIA, "A100", 81920, "GPU-b");

  private static Gpu of(Vendor vendor, int number) {
    return new Gpu(vendor.word() + number, vendor, "x", 1, String.valueOf(number));
  }

  @Test
  void aMachineWithoutDevicesSetsNothing() {
    assertThat(DeviceVariables.visible(List.of(), Set.of())).isEmpty();
  }

  @Test
  void aJobSeesWhatItGotInTheOrderOfTheMachine() {
    assertThat(DeviceVariables.visible(List.of(SECOND, FIRST), Set.of("GPU-a", "GPU-b")))
        .isEqualTo(
            Map.of("CUDA_VISIBLE_DEVICES", "GPU-b,GPU-a", "NVIDIA_VISIBLE_DEVICES", "GPU-b,GPU-a"));
  }

  @Test
  void aJobThatGotNoneSeesNone() {
    assertThat(DeviceVariables.visible(List.of(FIRST, SECOND), Set.of()))
        .isEqualTo(Map.of("CUDA_VISIBLE_DEVICES", "", "NVIDIA_VISIBLE_DEVICES", ""));
  }

  @Test
  void hipCountsWhatRocrLeaves() {
    List<Gpu> machine = List.of(of(Vendor.AMD, 0), of(Vendor.AMD, 1), of(Vendor.AMD, 2));
    assertThat(DeviceVariables.visible(machine, Set.of("amd1", "amd2")))
        .isEqualTo(Map.of("ROCR_VISIBLE_DEVICES", "1,2", "HIP_VISIBLE_DEVICES", "0,1"));
    assertThat(DeviceVariables.visible(machine, Set.of()))
        .isEqualTo(Map.of("ROCR_VISIBLE_DEVICES", "", "HIP_VISIBLE_DEVICES", ""));
  }

  @Test
  void vendorsDoNotMix() {
    List<Gpu> machine = List.of(FIRST, of(Vendor.INTEL, 4), of(Vendor.TENSTORRENT, 0));
    assertThat(DeviceVariables.visible(machine, Set.of("intel4")))
        .isEqualTo(
            Map.of(
                "CUDA_VISIBLE_DEVICES",
                "",
                "NVIDIA_VISIBLE_DEVICES",
                "",
                "HABANA_VISIBLE_MODULES",
                "4",
                "TT_VISIBLE_DEVICES",
                ""));
  }
}
