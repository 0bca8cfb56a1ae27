package dev.berth.catalog.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.catalog.CatalogException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Broken and hostile files end with one sentence that names the file, and the line if it can. */
final class HostileInputTest {
  private static final String HEADER =
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot\n";
  private static final String ROW = "t,r,1,1,1,0,,,True\n";
  private static final ReadLimits SMALL = new ReadLimits(4 << 20, 100, 1000, 50, 20);

  @TempDir Path folder;

  @Test
  void textThatIsNotUtf8() throws IOException {
    assertBroken(bytes(HEADER + ROW + "t\u00e9,", StandardCharsets.ISO_8859_1), ":3: ", "UTF-8");
    assertBroken(join(bytes(HEADER), new byte[] {(byte) 0xC0, (byte) 0xAF}), ":2: ", "UTF-8");
    assertBroken(
        join(bytes(HEADER), new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}), ":2: ", "UTF-8");
    assertBroken(join(bytes(HEADER), new byte[] {(byte) 0xE2, (byte) 0x82}), ":2: ", "UTF-8");
    assertBroken(bytes(HEADER, StandardCharsets.UTF_16), ":1: ");
  }

  @Test
  void otherAlphabetsAreText() throws IOException {
    assertThat(read(bytes(HEADER + "\u4e2d\ud83d\ude00,r,1,1,1,0,,,True\n")).items()).hasSize(1);
  }

  @Test
  void aNulByte() throws IOException {
    assertBroken(bytes(HEADER + ROW + "t\0,r\n"), ":3: ", "NUL");
  }

  @Test
  void aHeaderThatIsNone() throws IOException {
    assertBroken(bytes(""), ":1: ", "empty");
    assertBroken(bytes("<html>404</html>\n"), ":1: ", "lacks the column 'instance_name'");
    assertBroken(bytes(HEADER.replace("price", "cost")), ":1: ", "lacks the column 'price'");
    assertBroken(bytes(HEADER.replace("memory", "cpu")), ":1: ", "'cpu' twice");
  }

  @Test
  void quotesThatDoNotClose() throws IOException {
    assertBroken(bytes(HEADER + ROW + "t,\"r,1\n" + ROW), ":3: ", "never closed");
    assertBroken(bytes(HEADER + "\"t\"x,r,1\n"), ":2: ", "closing quote");
    assertBroken(
        bytes(HEADER + ROW + "t,\"r,1\n" + ROW.repeat(90)), ":3: ", "longer than 1000 bytes");
  }

  @Test
  void quotesWithinPlainTextAreText() throws IOException {
    assertThat(read(bytes(HEADER + "t\"x,r\",1,1,1,0,,,True\n")).items()).hasSize(1);
    assertThat(read(bytes(HEADER + "\"t\"\"\n,\",r,1,1,1,0,,,True\n")).items()).hasSize(1);
  }

  @Test
  void tooLongARowTooManyRowsTooLargeAFile() throws IOException {
    assertBroken(bytes(HEADER + ROW + "x".repeat(1001)), ":3: ", "longer than 1000 bytes");
    assertBroken(bytes(HEADER + ROW.repeat(101)), ":102: ", "more than 100 rows");
    byte[] large = bytes(HEADER + ("x".repeat(900) + "\n").repeat(5000));
    ReadLimits manyRows = new ReadLimits(4 << 20, 10_000, 1000, 50, 20);
    Path file = Files.write(folder.resolve("large.csv"), large);
    assertThatThrownBy(() -> read(file, manyRows))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("larger than 4194304 bytes");
  }

  @Test
  void aZipBomb() throws IOException {
    String regular = HEADER + ("x".repeat(900) + "\n").repeat(4000);
    ReadLimits manyRows = new ReadLimits(4 << 20, 1_000_000, 1000, 50, 20);
    for (byte[] bomb : List.of(zip("aws.csv", regular), gzip(regular))) {
      Path file = Files.write(folder.resolve("bomb"), bomb);
      assertThatThrownBy(() -> read(file, manyRows))
          .isInstanceOf(CatalogException.class)
          .hasMessageContaining("more than 50 times");
    }
    byte[] dense = zip("aws.csv", HEADER + ROW.repeat(300_000));
    Path file = Files.write(folder.resolve("dense.zip"), dense);
    ReadLimits anyRatio = new ReadLimits(4 << 20, 1_000_000, 1000, 2000, 20);
    assertThatThrownBy(() -> read(file, anyRatio))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("larger than 4194304 bytes when unpacked");
  }

  @Test
  void aZipWithFilesOutsideOfItself() throws IOException {
    assertBroken(zip("../../aws.csv", HEADER), "outside of itself");
    assertBroken(zip("/etc/aws.csv", HEADER), "outside of itself");
    assertBroken(zip("..\\aws.csv", HEADER), "outside of itself");
  }

  @Test
  void aZipWithoutOneCsvFile() throws IOException {
    assertBroken(zip("readme.txt", "hello"), "it has none");
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(two)) {
      add(zip, "aws.csv", HEADER);
      add(zip, "gcp.csv", HEADER);
    }
    assertBroken(two.toByteArray(), "it has aws.csv, gcp.csv");
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(many)) {
      for (int i = 0; i < 21; i++) {
        add(zip, i + ".txt", "");
      }
    }
    assertBroken(many.toByteArray(), "more than 20 files");
  }

  @Test
  void aDamagedArchive() throws IOException {
    StringBuilder rows = new StringBuilder(HEADER);
    for (int i = 0; i < 90; i++) {
      rows.append("t").append(i * 7919).append(",r,").append(i).append(",1,1,0,,,True\n");
    }
    byte[] zip = zip("aws.csv", rows.toString());
    assertBroken(Arrays.copyOf(zip, zip.length / 2), "damaged");
    byte[] gzip = gzip(rows.toString());
    assertBroken(Arrays.copyOf(gzip, gzip.length / 2), "damaged");
    for (int at = 60; at < zip.length - 100; at += 37) {
      byte[] flipped = zip.clone();
      flipped[at] ^= 0x10;
      Path file = Files.write(folder.resolve("flipped.zip"), flipped);
      assertThatThrownBy(() -> read(file, SMALL)).isInstanceOf(CatalogException.class);
    }
    assertThat(read(zip).items()).hasSize(90);
    assertThat(read(gzip).items()).hasSize(90);
  }

  @Test
  void aFileThatIsNotThere() {
    assertThatThrownBy(() -> read(folder.resolve("absent.csv"), SMALL))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("absent.csv");
  }

  private void assertBroken(byte[] content, String... parts) throws IOException {
    Path file = Files.write(folder.resolve("input"), content);
    assertThatThrownBy(() -> read(file, SMALL))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("input")
        .hasMessageContainingAll(parts);
  }

  private ReadRows read(byte[] content) throws IOException {
    return read(Files.write(folder.resolve("input"), content), SMALL);
  }

  private static ReadRows read(Path file, ReadLimits limits) {
    return new Archive(file, String.valueOf(file.getFileName()), limits)
        .read(null, (name, in) -> GpuhuntReader.read("aws", name, in, limits));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text, Charset charset) {
    return text.getBytes(charset);
  }

  private static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private static byte[] zip(String name, String content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      add(zip, name, content);
    }
    return out.toByteArray();
  }

  private static void add(ZipOutputStream zip, String name, String content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(bytes(content));
    zip.closeEntry();
  }

  private static byte[] gzip(String content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes(content));
    }
    return out.toByteArray();
  }
}
