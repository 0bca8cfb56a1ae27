package dev.berth.hosts.gpus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuNamesTest {
  @ParameterizedTest
  @CsvSource({
    "NVIDIA, NVIDIA A100-SXM4-80GB, A100",
    "NVIDIA, NVIDIA A100 80GB PCIe, A100",
    "NVIDIA, A100-PCIE-40GB, A100",
    "NVIDIA, NVIDIA H100 80GB HBM3, H100",
    "NVIDIA, NVIDIA H100 PCIe, H100",
    "NVIDIA, NVIDIA H100 NVL, H100NVL",
    "NVIDIA, NVIDIA H200, H200",
    "NVIDIA, NVIDIA H200 NVL, H200",
    "NVIDIA, NVIDIA GH200 480GB, GH200",
    "NVIDIA, NVIDIA B200, B200",
    "NVIDIA, NVIDIA B300 SXM6 AC, B300",
    "NVIDIA, NVIDIA GB10, GB10",
    "NVIDIA, Tesla T4, T4",
    "NVIDIA, NVIDIA T4G, T4G",
    "NVIDIA, Tesla V100-SXM2-16GB, V100",
    "NVIDIA, Tesla P100-PCIE-16GB, P100",
    "NVIDIA, Tesla K80, K80",
    "NVIDIA, NVIDIA L4, L4",
    "NVIDIA, NVIDIA L40, L40",
    "NVIDIA, NVIDIA L40S, L40S",
    "NVIDIA, NVIDIA A10, A10",
    "NVIDIA, NVIDIA A10G, A10G",
    "NVIDIA, NVIDIA A40, A40",
    "NVIDIA, NVIDIA RTX A6000, A6000",
    "NVIDIA, NVIDIA RTX A2000 12GB, A2000",
    "NVIDIA, Quadro RTX 6000, RTX6000",
    "NVIDIA, Quadro P4000, P4000",
    "NVIDIA, NVIDIA RTX 6000 Ada Generation, RTX6000Ada",
    "NVIDIA, NVIDIA RTX 2000 Ada Generation, RTX2000Ada",
    "NVIDIA, NVIDIA RTX PRO 6000 Blackwell Server Edition, RTXPRO6000",
    "NVIDIA, NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition, RTXPRO6000",
    "NVIDIA, NVIDIA RTX PRO 4500 Blackwell, RTXPRO4500",
    "NVIDIA, NVIDIA GeForce RTX 4090, RTX4090",
    "NVIDIA, GeForce RTX 3090, RTX3090",
    "NVIDIA, NVIDIA GeForce RTX 4070 Ti SUPER, RTX4070TiSUPER",
    "NVIDIA, NVIDIA GeForce RTX 4060 Laptop GPU, RTX4060Laptop",
    "NVIDIA, NVIDIA GeForce GTX 1080 Ti, GTX1080Ti",
    "NVIDIA, NVIDIA TITAN RTX, TITANRTX",
    "NVIDIA, NVIDIA PG509-210, PG509-210",
    "AMD, AMD Instinct MI300X, MI300X",
    "AMD, AMD Instinct MI300X OAM, MI300X",
    "AMD, AMD Instinct MI300X VF, MI300X",
    "AMD, Instinct MI210, MI210",
    "AMD, AMD INSTINCT MI250 (MCM) OAM AC MBA, MI250",
    "AMD, AMD Instinct™ MI355X, MI355X",
    "AMD, Radeon RX 7900 XTX, RX7900XTX",
    "AMD, AMD Radeon PRO W7900, W7900",
    "AMD, AMD Radeon Pro V520 MxGPU, V520",
    "AMD, Navi 31 [Radeon Pro W7900], W7900",
    "AMD, AMD Radeon Graphics, AMD Radeon Graphics",
    "INTEL, HL-205, Gaudi",
    "INTEL, HL-225, Gaudi2",
    "INTEL, HL-225H, Gaudi2",
    "INTEL, HL-325L, Gaudi3",
    "INTEL, HL-338, Gaudi3",
    "INTEL, Something, Something",
    "TENSTORRENT, n150, n150",
    "TENSTORRENT, n300 L, n300",
    "TENSTORRENT, p150b, p150",
    "TENSTORRENT, p100, p100a",
    "TENSTORRENT, tt-galaxy-wh, tt-galaxy-wh",
  })
  void namesAreThoseOfTheCatalog(Vendor vendor, String reported, String expected) {
    assertThat(GpuNames.canonical(vendor, reported)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "24564, 24", // RTX 4090
    "81559, 80", // H100
    "81920, 80", // A100
    "95830, 94", // H100 NVL
    "97871, 96", // GH200
    "143771, 141", // H200
    "183359, 180", // B200
    "46068, 48", // L40S, with error correction
    "23034, 24", // L4
    "15360, 16", // T4
    "16160, 16", // V100
    "11441, 12", // K80
    "7613, 8", // M60
    "196592, 192", // MI300X
    "98304, 96", // Gaudi2
  })
  void memoryIsWhatIsSold(long reportedMib, long soldGib) {
    assertThat(GpuMemory.soldMib(reportedMib)).isEqualTo(soldGib * 1024);
  }

  @ParameterizedTest
  @CsvSource({"0", "700", "13000", "28672", "500000"})
  void memoryThatIsNearNoneThatIsSoldStays(long reportedMib) {
    assertThat(GpuMemory.soldMib(reportedMib)).isEqualTo(reportedMib);
  }
}
