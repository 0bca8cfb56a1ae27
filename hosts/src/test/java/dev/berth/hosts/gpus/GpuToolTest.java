package dev.berth.hosts.gpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuToolTest {
  @Test
  void commandsAskForWhatIsParsed() {
    assertThat(GpuTool.ALL)
        .extracting(tool -> tool.name() + " " + String.join(" ", tool.arguments()))
        .containsExactly(
            "nvidia-smi --query-gpu=uuid,name,memory.total --format=csv,noheader,nounits",
            "amd-smi static --asic --vram --json",
            "rocm-smi --showproductname --showuniqueid --showmeminfo vram --json",
            "hl-smi --query-aip=uuid,module_id,name,memory.total --format=csv,noheader,nounits",
            "tt-smi -s --snapshot_no_tty");
  }

  @Test
  void nvidia() {
    String output =
        """
        GPU-5a3f6d1c-84f0-6a52-8e0f-2f1fb6f5a1de, NVIDIA A100-SXM4-80GB, 81920
        GPU-0b1c2d3e-4f50-6172-8394-a5b6c7d8e9fa, NVIDIA GeForce RTX 4090, 24564

        GPU-7c9e6679-7425-40de-944b-e07fc1f90ae7, NVIDIA GB10, [N/A]
        """;
    assertThat(NvidiaSmi.parse(output))
        .containsExactly(
            nvidia("GPU-5a3f6d1c-84f0-6a52-8e0f-2f1fb6f5a1de", "A100", 81920),
            nvidia("GPU-0b1c2d3e-4f50-6172-8394-a5b6c7d8e9fa", "RTX4090", 24576),
            nvidia("GPU-7c9e6679-7425-40de-944b-e07fc1f90ae7", "GB10", 0));
  }

  private static Gpu nvidia(String uuid, String name, long mib) {
    return new Gpu(uuid, Vendor.NVIDIA, name, mib, uuid);
  }

  @Test
  void nvidiaWithoutDevices() {
    assertThat(NvidiaSmi.parse("No devices were found\n")).isEmpty();
    assertThat(NvidiaSmi.parse("")).isEmpty();
  }

  @Test
  void amdOfRocm6() {
    String output =
        """
        WARNING: User is missing the following required groups: render, video. [see the manual]
        [
            {
                "gpu": 0,
                "asic": {
                    "market_name": "AMD Instinct MI300X",
                    "vendor_id": "0x1002",
                    "vendor_name": "Advanced Micro Devices Inc. [AMD/ATI]",
                    "subvendor_id": "0x1002",
                    "device_id": "0x74a1",
                    "rev_id": "0x00",
                    "asic_serial": "0xDE8287300DA37C72",
                    "oam_id": 7
                },
                "vram": {
                    "type": "HBM3",
                    "vendor": "HYNIX",
                    "size": {"value": 196592, "unit": "MB"}
                }
            },
            {
                "gpu": 1,
                "asic": {"market_name": "AMD Instinct MI300X", "asic_serial": "0x0076A08C022586FE"},
                "vram": {"type": "HBM3", "vendor": "HYNIX", "size": {"value": 196592, "unit": "MB"}}
            }
        ]
        """;
    assertThat(AmdSmi.parse(output))
        .containsExactly(
            amd("GPU-de8287300da37c72", "MI300X", 196608),
            amd("GPU-0076a08c022586fe", "MI300X", 196608));
  }

  private static Gpu amd(String uuid, String name, long mib) {
    return new Gpu(uuid, Vendor.AMD, name, mib, uuid);
  }

  @Test
  void amdOfRocm7() {
    String output =
        """
        {
            "gpu_data": [
                {
                    "gpu": 0,
                    "asic": {"market_name": "AMD Radeon RX 7900 XTX", "asic_serial": "N/A"},
                    "vram": {"type": "GDDR6", "size": {"value": 25753026560, "unit": "B"}}
                },
                {
                    "gpu": 1,
                    "asic": {"market_name": "N/A", "device_id": "0x164e", "asic_serial": "0x0000000000000000"},
                    "vram": {"type": "DDR5", "size": "N/A"}
                }
            ]
        }
        """;
    assertThat(AmdSmi.parse(output))
        .containsExactly(
            new Gpu("amd-0", Vendor.AMD, "RX7900XTX", 24576, "0"),
            new Gpu("amd-1", Vendor.AMD, "0x164e", 0, "1"));
  }

  @Test
  void partsOfOneAmdChipAreKnownByPosition() {
    String output =
        """
        [{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X", "asic_serial": "0xAB"}},
         {"gpu": 1, "asic": {"market_name": "AMD Instinct MI300X", "asic_serial": "0xAB"}}]
        """;
    assertThat(AmdSmi.parse(output)).extracting(Gpu::id).containsExactly("amd-0", "amd-1");
    assertThat(AmdSmi.parse(output)).extracting(Gpu::selector).containsExactly("0", "1");
  }

  @Test
  void rocm() {
    String output =
        """
        {
          "card10": {
            "Unique ID": "0x6c1fd9e5b2a41f33",
            "Card series": "Instinct MI210",
            "Card model": "0x0c34",
            "VRAM Total Memory (B)": "68702699520",
            "VRAM Total Used Memory (B)": "10747904"
          },
          "card2": {
            "Device Name": "AMD Instinct MI300X",
            "Unique ID": "N/A",
            "VRAM Total Memory (B)": "206141652992",
            "Card Series": "AMD Instinct MI300X",
            "Card Vendor": "Advanced Micro Devices, Inc. [AMD/ATI]"
          },
          "system": {"Driver version": "6.2.4"}
        }
        """;
    assertThat(RocmSmi.parse(output))
        .containsExactly(
            new Gpu("amd-0", Vendor.AMD, "MI300X", 196608, "0"),
            amd("GPU-6c1fd9e5b2a41f33", "MI210", 65536));
  }

  @Test
  void gaudi() {
    String output =
        """
        01P0-HL2080A0-15-TNPS14-20-07-07, 3, HL-225, 98304
        01P4-HL3090A0-18-U4V193-22-07-00, 0, HL-325L, 131072
        """;
    assertThat(HabanaSmi.parse(output))
        .containsExactly(
            new Gpu("01P0-HL2080A0-15-TNPS14-20-07-07", Vendor.INTEL, "Gaudi2", 98304, "3"),
            new Gpu("01P4-HL3090A0-18-U4V193-22-07-00", Vendor.INTEL, "Gaudi3", 131072, "0"));
  }

  @Test
  void tenstorrent() {
    String output =
        """
        Gathering Information ━━━━━━━━━━━━━━━━━━━━━━━━━ 100% 0:00:00
        {
            "time": "2025-06-10T15:02:11.521",
            "host_info": {"OS": "Linux", "Distro": "Ubuntu 22.04.5 LTS"},
            "device_info": [
                {"board_info": {"bus_id": "0000:06:00.0", "board_type": "n300 L",
                 "board_id": "0x100014511722058", "dram_status": true, "pcie_width": "16"}},
                {"board_info": {"bus_id": "0000:0a:00.0", "board_type": "n150",
                 "board_id": "0x100018611722021", "dram_status": true}},
                {"board_info": {"bus_id": "N/A", "board_type": "n300 R",
                 "board_id": "0x100014511722058", "dram_status": true}},
                {"board_info": {"bus_id": "0000:0b:00.0", "board_type": "p150b",
                 "board_id": "0x40011722021", "dram_status": true}}
            ]
        }
        """;
    assertThat(TenstorrentSmi.parse(output))
        .containsExactly(
            new Gpu("tt-0000:06:00.0", Vendor.TENSTORRENT, "n300", 24576, "0"),
            new Gpu("tt-0000:0a:00.0", Vendor.TENSTORRENT, "n150", 12288, "1"),
            new Gpu("tt-0000:0b:00.0", Vendor.TENSTORRENT, "p150", 32768, "2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nvidia-smi | NVIDIA-SMI has failed because it couldn't communicate with the driver.",
        "nvidia-smi | GPU-1, NVIDIA A100, 40960, 3",
        "nvidia-smi | [Unknown Error], NVIDIA A100, 40960",
        "amd-smi    | no GPU is there",
        "amd-smi    | {\"gpu\": 0}",
        "amd-smi    | [{\"gpu\": 0,",
        "rocm-smi   | []",
        "rocm-smi   | WARNING: No AMD GPUs specified",
        "hl-smi     | HL-225, 98304",
        "tt-smi     | {\"host_info\": {}}",
      })
  void anythingElseIsRefused(String name, String output) {
    GpuTool tool = GpuTool.ALL.stream().filter(it -> it.name().equals(name)).toList().getFirst();
    assertThatThrownBy(() -> tool.parser().apply(output))
        .isInstanceOf(UnreadableOutputException.class);
  }

  @Test
  void aListWithoutDevicesIsEmpty() {
    assertThat(AmdSmi.parse("[]")).isEmpty();
    assertThat(RocmSmi.parse("{}")).isEmpty();
    assertThat(HabanaSmi.parse("\n")).isEqualTo(List.of());
    assertThat(TenstorrentSmi.parse("{\"device_info\": []}")).isEmpty();
  }
}
