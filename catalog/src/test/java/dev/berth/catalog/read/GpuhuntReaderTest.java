package dev.berth.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource.RefusedRow;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GpuhuntReaderTest {
  private static final String HEADER =
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
          + "gpu_vendor,flags,cpu_arch,provider_data\n";

  @Test
  void aRowIsAnOffer() {
    ReadRows read =
        read(
            HEADER
                + "p5.48xlarge,us-east-1a,98.32,192,2048.0,8,H100,80.0,True,100,nvidia,one two,arm,"
                + "\"{\"\"fabrics\"\": [2]}\"\n");
    assertThat(read.items())
        .containsExactly(
            new CatalogItem(
                "aws",
                "p5.48xlarge",
                "us-east-1",
                "us-east-1a",
                98.32,
                192,
                CpuArchitecture.ARM,
                2048 * 1024,
                new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "H100", 8, 80 * 1024),
                100 * 1024L,
                true,
                List.of("one", "two"),
                "{\"fabrics\": [2]}",
                List.of()));
    assertThat(read.count()).isEqualTo(new RowCount(1, 1, 0));
  }

  @Test
  void columnsAreFoundByNameAndOldFilesHaveFewer() {
    ReadRows read =
        read(
            """
            \uFEFFspot,new_column,price,instance_name,location,cpu,memory,gpu_count,gpu_name,gpu_memory\r
            False,x,1.5,ct3,europe-west4-a,96,334,1,tpu-v3-8,128\r
            \r
            False,x,0,n1,europe-west4-a,1,3.75,1,T4,15\r
            """);
    assertThat(read.items())
        .extracting(item -> item.gpu() == null ? "" : item.gpu().toString())
        .containsExactly(
            new CatalogItem.Gpu(AcceleratorVendor.GOOGLE, "v3-8", 1, 128 * 1024).toString(),
            new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "T4", 1, 16 * 1024).toString());
    assertThat(read.items().get(0).repairs())
        .containsExactly(
            "accelerator tpu-v3-8 named v3-8", "processor architecture not stated, taken as x86");
    assertThat(read.items().get(1).repairs())
        .containsExactly(
            "vendor not stated, taken as nvidia",
            "accelerator memory set to 16384 MiB, 15360 MiB stated",
            "processor architecture not stated, taken as x86");
    assertThat(read.items().get(1).price()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ,r,1,1,1,0,,,True,,,,x86,{}              | NO_INSTANCE_TYPE
          t,,1,1,1,0,,,True,,,,x86,{}              | NO_LOCATION
          t,r,,1,1,0,,,True,,,,x86,{}              | NO_PRICE
          t,r,1,,1,0,,,True,,,,x86,{}              | NO_SIZE
          t,r,1,1,,0,,,True,,,,x86,{}              | NO_SIZE
          t,r,1e999,1,1,0,,,True,,,,x86,{}         | BAD_NUMBER
          t,r,NaN,1,1,0,,,True,,,,x86,{}           | BAD_NUMBER
          t,r,Infinity,1,1,0,,,True,,,,x86,{}      | BAD_NUMBER
          t,r,-1,1,1,0,,,True,,,,x86,{}            | BAD_NUMBER
          t,r,0x1p3,1,1,0,,,True,,,,x86,{}         | BAD_NUMBER
          t,r,1.2.3,1,1,0,,,True,,,,x86,{}         | BAD_NUMBER
          t,r,1,1.5,1,0,,,True,,,,x86,{}           | BAD_NUMBER
          t,r,1,99999999999,1,0,,,True,,,,x86,{}   | BAD_NUMBER
          t,r,1,1,1e300,0,,,True,,,,x86,{}         | BAD_NUMBER
          t,r,1,1,1,0,,,True,-5,,,x86,{}           | BAD_NUMBER
          t,r,1,1,1,,,,True,,,,x86,{}              | BAD_NUMBER
          t,r,1,1,1,0,,,yes,,,,x86,{}              | BAD_SPOT
          t,r,1,1,1,0,,,True,,,,mips,{}            | BAD_ARCHITECTURE
          t,r,1,1,1,0,,,True,,,,x86,[]             | BAD_PROVIDER_DATA
          t,r,1,1,1,0,,,True,,,,x86,{oops          | BAD_PROVIDER_DATA
          t,r,1,1,1,1,,16,True,,nvidia,,x86,{}     | NO_ACCELERATOR_NAME
          t,r,1,1,1,0.5,L4,24,True,,nvidia,,x86,{} | PART_OF_ACCELERATOR
          t,r,1,1,1,1,X,16,True,,acme,,x86,{}      | UNSUPPORTED_ACCELERATOR
          t,r,1,1,1,0,,,True,,,,x86                | FIELD_COUNT
          t,r,1,1,1,0,,,True,,,,x86,{},more        | FIELD_COUNT
          """)
  void aRowThatIsNoOfferIsRefusedAndTheOthersAreRead(String row, RefusalReason reason) {
    String good = "t,r,1,1,1,0,,,True,,,,x86,{}\n";
    ReadRows read = read(HEADER + good + row + "\n" + good);
    assertThat(read.items()).hasSize(2);
    assertThat(read.refused()).containsExactly(new RefusedRow("aws.csv:3", reason.sentence()));
    assertThat(read.count()).isEqualTo(new RowCount(3, 2, 1));
  }

  @Test
  void anAcceleratorThatIsNotKnownIsListed() {
    ReadRows read = read(HEADER + "t,r,1,1,1,2,Z1000,,False,,amd,,x86,{}\n");
    assertThat(read.items().getFirst().gpu())
        .isEqualTo(new CatalogItem.Gpu(AcceleratorVendor.AMD, "Z1000", 2, 0));
  }

  private static ReadRows read(String text) {
    return GpuhuntReader.read(
        "aws",
        "aws.csv",
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        ReadLimits.DEFAULT);
  }
}
