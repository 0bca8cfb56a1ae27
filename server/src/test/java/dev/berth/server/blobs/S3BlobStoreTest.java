package dev.berth.server.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a bucket of a real S3 server. */
class S3BlobStoreTest extends BlobStoreContract {
  private static final String BUCKET = "berth";

  @TempDir private static Path folder;
  private static S3Server server;

  @TempDir private Path temporary;
  private BlobStore store;

  @BeforeAll
  static void start() throws IOException {
    server = S3Server.start(folder);
    server.makeBucket(BUCKET);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    store = S3BlobStore.open(server.settings(BUCKET), temporary, InstantSource.system());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  BlobStore store() {
    return store;
  }

  @Override
  long leftovers() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.count();
    }
  }

  @Test
  void aWrongSecretIsRefusedAndNotShown() {
    S3Settings good = server.settings(BUCKET);
    S3Settings wrong =
        new S3Settings(
            good.bucket(),
            good.prefix(),
            good.region(),
            good.endpoint(),
            true,
            S3Server.KEY,
            Secret.of("a-wrong-secret"));
    assertThatThrownBy(() -> S3BlobStore.open(wrong, temporary, InstantSource.system()))
        .isInstanceOfSatisfying(
            BlobException.class,
            e -> {
              assertThat(e.code()).isEqualTo(BlobException.Code.REFUSED);
              assertThat(e.code().retryable()).isFalse();
            })
        .hasMessageContaining("check the access key")
        .message()
        .doesNotContain("a-wrong-secret");
  }

  @Test
  void aBucketThatIsNotThereIsSaidSo() {
    assertThatThrownBy(
            () -> S3BlobStore.open(server.settings("nowhere"), temporary, InstantSource.system()))
        .isInstanceOfSatisfying(
            BlobException.class, e -> assertThat(e.code()).isEqualTo(BlobException.Code.NO_BUCKET))
        .hasMessageContaining("'nowhere'");
  }

  @Test
  void aStoreThatIsAwayCanBeAskedAgain(@TempDir Path other) throws IOException {
    byte[] bytes = bytes(1000, 1);
    BlobName name = name("away", bytes);
    S3Server second = S3Server.start(other);
    second.makeBucket(BUCKET);
    try (BlobStore away =
        S3BlobStore.open(second.settings(BUCKET), temporary, InstantSource.system())) {
      away.put(name, new ByteArrayInputStream(bytes));
      second.close();
      assertThatThrownBy(() -> away.find(name))
          .isInstanceOfSatisfying(
              BlobException.class,
              e -> {
                assertThat(e.code()).isEqualTo(BlobException.Code.AWAY);
                assertThat(e.code().retryable()).isTrue();
              });
      try (S3Server _ = S3Server.start(other, second.port())) {
        assertThat(away.find(name)).isPresent();
      }
    }
  }
}
