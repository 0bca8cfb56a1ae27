package dev.berth.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SkypilotReaderTest {
  private static final String HEADER =
      "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,"
          + "Region,AvailabilityZone\n";

  @Test
  void bothPricesOfARowAreOffers() {
    ReadRows read =
        read(
            "aws",
            "g6.xlarge,L4,1.0,4.0,16.0,\"{'Gpus': [{'Name': 'L4', 'Manufacturer': 'NVIDIA',"
                + " 'Count': 1, 'MemoryInfo': {'SizeInMiB': 22888}}], 'TotalGpuMemoryInMiB':"
                + " 22888}\",0.8,0.3,us-east-1,use1-az1\n");
    assertThat(read.items())
        .extracting(CatalogItem::price, CatalogItem::spot, CatalogItem::region, CatalogItem::zone)
        .containsExactly(
            tuple(0.8, false, "us-east-1", "use1-az1"), tuple(0.3, true, "us-east-1", "use1-az1"));
    assertThat(read.items())
        .allSatisfy(
            item ->
                assertThat(item.repairs())
                    .containsExactly("accelerator memory set to 24576 MiB, 22888 MiB stated"));
    assertThat(read.count()).isEqualTo(new RowCount(1, 1, 0));
  }

  @Test
  void zeroIsAPriceAndNothingIsNone() {
    assertThat(read("vast", "x,,,1,1,,0.00,0.00,r,\n").items()).hasSize(2);
    assertThat(read("vast", "x,,,1,1,,,0.1,r,\n").items()).hasSize(1);
  }

  @Test
  void googlesAcceleratorsAreJoinedWithTheMachinesOfTheirZone() {
    ReadRows read =
        read(
            "gcp",
            """
            n1-standard-4,,,4,15,,0.2,0.1,r,r-a
            n1-standard-4,,,4,15,,0.2,0.1,r,r-b
            g2-standard-4,,,4,16,,0.3,0.1,r,r-a
            ,T4,1,,,,0.35,,r,r-a
            ,L4,1,,,,0.5,,r,r-b
            ,tpu-v3-8,1,,,,8,2.4,r,r-a
            ,tpu-v3-32,1,,,,32,,r,r-a
            """);
    assertThat(read.items().stream().map(SkypilotReaderTest::text))
        .containsExactlyInAnyOrder(
            "n1-standard-4 r-a 0.20 none",
            "n1-standard-4 r-a 0.10 none",
            "n1-standard-4 r-b 0.20 none",
            "n1-standard-4 r-b 0.10 none",
            "n1-standard-4 r-a 0.55 T4",
            "v3-8 r-a 8.00 v3-8",
            "v3-8 r-a 2.40 v3-8");
    assertThat(read.refused().stream().map(it -> it.where() + " " + it.reason()))
        .containsExactlyInAnyOrder(
            "vms.csv:4 " + RefusalReason.NO_ACCELERATOR_FOR_HOST.sentence(),
            "vms.csv:6 " + RefusalReason.NO_HOST.sentence(),
            "vms.csv:8 " + RefusalReason.UNKNOWN_SLICE.sentence());
    assertThat(read.count()).isEqualTo(new RowCount(7, 4, 3));
  }

  private static String text(CatalogItem item) {
    return String.format(
        Locale.ROOT,
        "%s %s %.2f %s",
        item.instanceType(),
        item.zone(),
        item.price(),
        item.gpu() == null ? "none" : item.gpu().name());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x,L4,0.5,1,1,,1,,r,            | PART_OF_ACCELERATOR
          x,Inferentia2,1,1,1,,1,,r,     | UNSUPPORTED_ACCELERATOR
          x,,1,1,1,,1,,r,                | NO_ACCELERATOR_NAME
          x,,,1,1,,1,,,                  | NO_LOCATION
          x,,,1,1,,,,r,                  | NO_PRICE
          x,,,,1,,1,,r,                  | NO_SIZE
          x,,,1,1,,-1,,r,                | BAD_NUMBER
          x,,,1,1,,1,1e999,r,            | BAD_NUMBER
          ,,,1,1,,1,,r,                  | NO_INSTANCE_TYPE
          ,L4,1,,,,1,,r,                 | NO_INSTANCE_TYPE
          x,,,1,1,,1,r                   | FIELD_COUNT
          """)
  void aRowThatIsNoOfferIsRefused(String row, RefusalReason reason) {
    ReadRows read = read("aws", row + "\n");
    assertThat(read.items()).isEmpty();
    assertThat(read.refused()).hasSize(1);
    assertThat(read.refused().getFirst().reason()).isEqualTo(reason.sentence());
  }

  @ParameterizedTest
  @CsvSource({
    "aws,m7g.large,ARM",
    "aws,im4gn.large,ARM",
    "aws,a1.medium,ARM",
    "aws,g4dn.xlarge,X86",
    "aws,g6.xlarge,X86",
    "azure,Standard_D2ps_v5,ARM",
    "azure,Standard_B2pts_v2,ARM",
    "azure,Standard_NP10s,X86",
    "azure,Standard_M416-208ms_v2,X86",
    "gcp,t2a-standard-1,ARM",
    "gcp,c4-standard-2,X86",
    "oci,VM.Standard.A1.Flex$_2_8,ARM",
    "oci,VM.Standard.E4.Flex$_2_8,X86"
  })
  void theNameOfAMachineTellsItsProcessors(String provider, String type, CpuArchitecture arch) {
    assertThat(read(provider, type + ",,,1,1,,1,,r,\n").items())
        .extracting(CatalogItem::arch)
        .containsExactly(arch);
  }

  @Test
  void dataCentresAreTheRegionsOfRunpod() {
    CatalogItem item = read("runpod", "x,,,1,1,,1,,IN,AP-IN-1\n").items().getFirst();
    assertThat(List.of(item.region(), String.valueOf(item.zone())))
        .containsExactly("AP-IN-1", "null");
  }

  private static ReadRows read(String provider, String rows) {
    return SkypilotReader.read(
        provider,
        "vms.csv",
        new ByteArrayInputStream((HEADER + rows).getBytes(StandardCharsets.UTF_8)),
        ReadLimits.DEFAULT);
  }
}
