package dev.berth.server.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every store of blobs does. */
abstract class BlobStoreContract {
  private static final String SPACE = "projects/main/chunks";

  abstract BlobStore store();

  /** How many temporary files are there. */
  abstract long leftovers() throws IOException;

  static byte[] bytes(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static BlobName name(String space, byte[] bytes) {
    return new BlobName(space, Sha256.of(bytes));
  }

  private BlobName put(byte[] bytes) {
    BlobName name = name(SPACE, bytes);
    store().put(name, new ByteArrayInputStream(bytes));
    return name;
  }

  private byte[] read(BlobName name, long offset, long length) throws IOException {
    try (InputStream in = store().open(name, offset, length)) {
      return in.readAllBytes();
    }
  }

  @Test
  void givesBackWhatWasPutWholeAndInParts() throws IOException {
    byte[] bytes = bytes(300_000, 1);
    BlobName name = put(bytes);
    assertThat(read(name, 0, Long.MAX_VALUE)).isEqualTo(bytes);
    assertThat(read(name, 0, bytes.length)).isEqualTo(bytes);
    assertThat(read(name, 1000, 10)).isEqualTo(java.util.Arrays.copyOfRange(bytes, 1000, 1010));
    assertThat(read(name, 299_990, 100))
        .isEqualTo(java.util.Arrays.copyOfRange(bytes, 299_990, 300_000));
    assertThat(read(name, 300_000, 10)).isEmpty();
    assertThat(read(name, 0, 0)).isEmpty();
    assertThat(store().find(name))
        .hasValueSatisfying(
            blob -> {
              assertThat(blob.size()).isEqualTo(300_000);
              assertThat(blob.keptAt())
                  .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(600));
            });
    assertThat(leftovers()).isZero();
  }

  @Test
  void keepsNothingThatIsNotWhatItsNameSays() throws IOException {
    byte[] bytes = bytes(1000, 2);
    BlobName name = name(SPACE, bytes);
    byte[] other = bytes(1000, 3);
    assertThatThrownBy(() -> store().put(name, new ByteArrayInputStream(other)))
        .isInstanceOfSatisfying(
            BlobException.class,
            e -> assertThat(e.code()).isEqualTo(BlobException.Code.WRONG_CONTENT));
    assertThat(store().find(name)).isEmpty();
    assertThat(leftovers()).isZero();
  }

  @Test
  void keepsNothingOfAStreamThatBreaks() throws IOException {
    byte[] bytes = bytes(200_000, 4);
    BlobName name = name(SPACE, bytes);
    InputStream broken =
        new java.io.SequenceInputStream(
            new ByteArrayInputStream(bytes, 0, 100_000),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the line is cut");
              }

              @Override
              public int read(byte[] target, int offset, int length) throws IOException {
                throw new IOException("the line is cut");
              }
            });
    assertThatThrownBy(() -> store().put(name, broken))
        .isInstanceOfSatisfying(
            BlobException.class,
            e -> {
              assertThat(e.code()).isEqualTo(BlobException.Code.CUT_OFF);
              assertThat(e.code().retryable()).isTrue();
            });
    assertThat(store().find(name)).isEmpty();
    assertThat(leftovers()).isZero();
  }

  @Test
  void refusesABlobThatIsTooLargeBeforeItIsThere() throws IOException {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 0;
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            return length;
          }
        };
    assertThatThrownBy(() -> store().put(name(SPACE, bytes(10, 5)), endless))
        .isInstanceOfSatisfying(
            BlobException.class, e -> assertThat(e.code()).isEqualTo(BlobException.Code.TOO_LARGE));
    assertThat(leftovers()).isZero();
  }

  @Test
  void putsTheSameTwiceAsOnce() throws IOException {
    byte[] bytes = bytes(5000, 6);
    BlobName name = put(bytes);
    put(bytes);
    assertThat(read(name, 0, 10_000)).isEqualTo(bytes);
    assertThat(listed("projects/main/chunks")).containsOnlyOnce(name);
  }

  @Test
  void manyPutTheSameAtTheSameTime() throws Exception {
    byte[] bytes = bytes(100_000, 7);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<BlobName>> puts = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        puts.add(threads.submit(() -> put(bytes)));
      }
      for (Future<BlobName> put : puts) {
        assertThat(read(put.get(), 0, bytes.length)).isEqualTo(bytes);
      }
    }
    assertThat(leftovers()).isZero();
  }

  @Test
  void spacesDoNotSeeEachOther() {
    byte[] bytes = bytes(100, 8);
    put(bytes);
    BlobName elsewhere = name("projects/other/chunks", bytes);
    assertThat(store().find(elsewhere)).isEmpty();
    assertGone(() -> store().open(elsewhere, 0, 10));
    assertThat(listed("projects/other/chunks")).isEmpty();
    // Spaces above do not show what is in those below them.
    assertThat(listed("projects/main")).isEmpty();
  }

  @Test
  void listsAllOfASpace() {
    List<BlobName> put = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] bytes = ("blob " + i).getBytes(StandardCharsets.UTF_8);
      BlobName name = name("lists/all", bytes);
      store().put(name, new ByteArrayInputStream(bytes));
      put.add(name);
    }
    assertThat(listed("lists/all")).containsExactlyInAnyOrderElementsOf(put);
  }

  private List<BlobName> listed(String space) {
    List<BlobName> names = new ArrayList<>();
    store().list(space, blob -> names.add(blob.name()));
    return names;
  }

  @Test
  void deletesOnceAndIsSilentThen() {
    BlobName name = put(bytes(100, 9));
    store().delete(name);
    store().delete(name);
    assertThat(store().find(name)).isEmpty();
    assertGone(() -> store().open(name, 0, 10));
    assertThat(store().refresh(name)).isFalse();
  }

  @Test
  void refreshingMakesABlobYoungerAndChangesNothingElse() throws IOException {
    byte[] bytes = bytes(100, 10);
    BlobName name = put(bytes);
    Instant before = store().find(name).orElseThrow().keptAt();
    assertThat(store().refresh(name)).isTrue();
    assertThat(store().find(name).orElseThrow().keptAt()).isAfterOrEqualTo(before);
    assertThat(read(name, 0, 1000)).isEqualTo(bytes);
  }

  private static void assertGone(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            BlobException.class, e -> assertThat(e.code()).isEqualTo(BlobException.Code.GONE));
  }
}
