package dev.berth.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcceleratorReadingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # name | count | memory | total | name | memory in GiB | repairs
          L4                | 1 | 24576   | 0       | L4         | 24  |
          L4                | 1 | 22888   | 22888   | L4         | 24  | accelerator memory set to 24576 MiB, 22888 MiB stated
          L40S              | 8 | 45776   | 366208  | L40S       | 48  | accelerator memory set to 49152 MiB, 45776 MiB stated
          B200              | 8 | 183359  | 1466872 | B200       | 180 | accelerator memory set to 184320 MiB, 183359 MiB stated
          A40               | 4 | 48      | 192     | A40        | 48  | accelerator memory set to 49152 MiB, 48 GiB stated as MiB
          B300              | 1 | 288     | 288     | B300       | 270 | accelerator memory set to 276480 MiB, 288 GiB stated as MiB
          A100-80GB         | 8 | 655360  | 5242880 | A100       | 80  | accelerator A100-80GB named A100; accelerator memory set to 81920 MiB, 655360 MiB of all 8 stated as of one
          RTX3090           | 5 | 122880  | 122880  | RTX3090    | 24  | accelerator memory set to 24576 MiB, 122880 MiB of all 5 stated as of one
          RTX4090           | 8 | 196512  | 196512  | RTX4090    | 24  | accelerator memory set to 24576 MiB, 196512 MiB of all 8 stated as of one
          RTX4060           | 4 | 65520   | 65520   | RTX4060    | 16380/1024 | accelerator memory set to 16380 MiB, 65520 MiB of all 4 stated as of one
          T4                | 1 | 0       | 0       | T4         | 16  | accelerator memory set to 16384 MiB, not stated
          A100-80GB         | 1 | 0       | 0       | A100       | 80  | accelerator A100-80GB named A100; accelerator memory set to 81920 MiB, not stated
          V100              | 1 | 0       | 0       | V100       | 0   |
          V100              | 1 | 32768   | 0       | V100       | 32  |
          A100              | 2 | 81920   | 81920   | A100       | 80  |
          RTXPRO6000        | 1 | 24576   | 0       | RTXPRO6000 | 24  |
          RTXPRO6000        | 2 | 49152   | 0       | RTXPRO6000 | 48  |
          PRO-6000-MIG-24GB | 1 | 24      | 24      | RTXPRO6000 | 24  | accelerator PRO-6000-MIG-24GB named RTXPRO6000; accelerator memory set to 24576 MiB, 24 GiB stated as MiB
          RTX6000           | 8 | 98304   | 786432  | RTXPRO6000 | 96  | accelerator RTX6000 named RTXPRO6000
          RTX6000           | 4 | 98304   | 98304   | RTX6000    | 24  | accelerator memory set to 24576 MiB, 98304 MiB of all 4 stated as of one
          H100              | 1 | 95830   | 95830   | H100NVL    | 94  | accelerator H100 named H100NVL; accelerator memory set to 96256 MiB, 95830 MiB stated
          Q9000             | 2 | 65536   | 0       | Q9000      | 64  |
          Q9000             | 2 | 64      | 0       | Q9000      | 64  | accelerator memory set to 65536 MiB, 64 GiB stated as MiB
          """)
  void factsCorrectNamesAndMemory(
      String stated,
      int count,
      long memory,
      long total,
      String name,
      String expected,
      @Nullable String repairs) {
    AcceleratorReading reading =
        AcceleratorReading.of(
            new AcceleratorReading.Stated(stated, AcceleratorVendor.NVIDIA, count, memory, total),
            false);
    long mib =
        expected.endsWith("/1024")
            ? Long.parseLong(expected.substring(0, expected.indexOf('/')))
            : Long.parseLong(expected) * 1024;
    assertThat(reading.gpu()).isEqualTo(new Gpu(AcceleratorVendor.NVIDIA, name, count, mib));
    assertThat(String.join("; ", reading.repairs())).isEqualTo(repairs == null ? "" : repairs);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MI25  | NVIDIA | AMD    | vendor nvidia corrected to amd
          H100  |        | NVIDIA | vendor not stated, taken as nvidia
          v3-8  |        | GOOGLE | vendor not stated, taken as google
          Q9000 |        | NVIDIA | vendor not stated, taken as nvidia
          Q9000 | AMD    | AMD    |
          """)
  void factsCorrectVendors(
      String name,
      @Nullable AcceleratorVendor stated,
      AcceleratorVendor vendor,
      @Nullable String repair) {
    AcceleratorReading reading =
        AcceleratorReading.of(new AcceleratorReading.Stated(name, stated, 1, 16384, 0), false);
    assertThat(reading.gpu().vendor()).isEqualTo(vendor);
    assertThat(reading.repairs().stream().filter(it -> it.startsWith("vendor")).toList())
        .isEqualTo(repair == null ? List.of() : List.of(repair));
  }

  @ParameterizedTest
  @CsvSource({"V100,16", "A100,40", "A100-80GB,80", "T4,16"})
  void whereTheLargerHaveNamesOfTheirOwnTheSmallestIsMeant(String name, int gib) {
    AcceleratorReading reading =
        AcceleratorReading.of(
            new AcceleratorReading.Stated(name, AcceleratorVendor.NVIDIA, 1, 0, 0), true);
    assertThat(reading.gpu().memoryMib()).isEqualTo(gib * 1024L);
  }
}
