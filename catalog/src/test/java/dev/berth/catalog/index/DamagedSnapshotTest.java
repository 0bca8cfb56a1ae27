package dev.berth.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is not as it was written is refused, by name, and never with another exception. */
class DamagedSnapshotTest {
  @TempDir private Path folder;

  private final Random random = Seed.random("DamagedSnapshotTest");
  private Path file = Path.of("");
  private byte[] sound = {};

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("aws.offers");
    SnapshotContent content = new RandomContent(random).content("aws", 40, 5);
    sound = Files.readAllBytes(Snapshot.write(file, content).file());
  }

  @Test
  void anyByteThatChanged() throws IOException {
    for (int at = 0; at < sound.length; at += 1 + random.nextInt(40)) {
      byte[] bytes = sound.clone();
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      assertRefused(bytes);
    }
  }

  @Test
  void anyLengthThatIsTooShort() throws IOException {
    for (int length = 0; length < sound.length; length += 1 + random.nextInt(40)) {
      assertRefused(Arrays.copyOf(sound, length));
    }
    assertRefused(Arrays.copyOf(sound, sound.length - 1));
  }

  @Test
  void aFileThatGrew() throws IOException {
    assertRefused(Arrays.copyOf(sound, sound.length + 8));
  }

  @Test
  void aFileOfSomebodyElse() throws IOException {
    byte[] text = "instance_name,location,price\n".repeat(50).getBytes(StandardCharsets.UTF_8);
    assertRefused(text);
    assertRefused(new byte[10_000]);
  }

  @Test
  void aNewerFormatIsSaidToBeOne() throws IOException {
    byte[] bytes = sound.clone();
    buffer(bytes).putInt(8, 2);
    Files.write(file, withChecksum(bytes));
    assertThatThrownBy(() -> Snapshot.open(file))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("newer");
  }

  @Test
  void aHugePartWithARightChecksum() throws IOException {
    for (int part = 0; part < Section.values().length; part++) {
      for (long huge : new long[] {Long.MAX_VALUE, Integer.MAX_VALUE, 1L << 40, -1, sound.length}) {
        for (int field = 0; field < 2; field++) {
          byte[] bytes = sound.clone();
          buffer(bytes).putLong(SnapshotFile.PARTS_AT + part * 16 + field * 8, huge);
          assertRefused(withChecksum(bytes));
        }
      }
    }
    byte[] bytes = sound.clone();
    buffer(bytes).putLong(SnapshotFile.LENGTH_AT, Long.MAX_VALUE);
    assertRefused(withChecksum(bytes));
  }

  /** Whoever can make checksums can also write lies, but no question may fail because of them. */
  @Test
  void numbersThatLeadNowhereWithARightChecksum() throws IOException {
    List<CatalogItem> items = Snapshot.open(file).content().offers();
    int refused = 0;
    for (int round = 0; round < 2000; round++) {
      byte[] bytes = sound.clone();
      int at = 8 * (1 + random.nextInt(sound.length / 8 - 2));
      buffer(bytes).putInt(at, random.nextBoolean() ? random.nextInt() : random.nextInt(100));
      Files.write(file, withChecksum(bytes));
      try {
        Snapshot snapshot = Snapshot.open(file);
        assertThat(snapshot.content().source()).isEqualTo(snapshot.source());
        Catalog catalog = Catalog.of(List.of(snapshot));
        RandomFilter filters = new RandomFilter(random, items);
        for (int question = 0; question < 5; question++) {
          OfferFilter filter = filters.next();
          assertThat(catalog.query(filter, 10).offers()).hasSizeLessThanOrEqualTo(10);
          assertThat(catalog.groups(filter, List.of(GroupKey.values()))).doesNotContainNull();
        }
      } catch (CatalogException e) {
        assertThat(e).hasMessageContaining(file.toString());
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aFileThatIsNotThere() {
    assertThatThrownBy(() -> Snapshot.open(folder.resolve("none.offers")))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("none.offers");
    assertThatThrownBy(() -> Snapshot.open(folder)).isInstanceOf(CatalogException.class);
  }

  private void assertRefused(byte[] bytes) throws IOException {
    Files.write(file, bytes);
    assertThatThrownBy(() -> Snapshot.open(file))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining(file.toString());
  }

  private static byte[] withChecksum(byte[] bytes) {
    ByteBuffer buffer = buffer(bytes);
    buffer.putInt(SnapshotFile.CHECKSUM_AT, SnapshotFile.checksum(buffer));
    return bytes;
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
