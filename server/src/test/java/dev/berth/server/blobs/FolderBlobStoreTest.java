package dev.berth.server.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a folder. */
class FolderBlobStoreTest extends BlobStoreContract {
  @TempDir private Path folder;
  private BlobStore store;

  @BeforeEach
  void open() {
    store = FolderBlobStore.open(folder.resolve("blobs"), InstantSource.system());
  }

  @Override
  BlobStore store() {
    return store;
  }

  @Override
  long leftovers() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("blobs/.tmp"))) {
      return files.count();
    }
  }

  @Test
  void whatIsKeptIsForItsOwnerOnly() throws IOException {
    byte[] bytes = bytes(10, 1);
    BlobName name = name("a", bytes);
    store.put(name, new ByteArrayInputStream(bytes));
    Path file =
        folder.resolve("blobs/a").resolve(name.digest().substring(0, 2)).resolve(name.digest());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void whatAFaultHasCutShortIsReplaced() throws IOException {
    byte[] bytes = bytes(10, 5);
    BlobName name = name("a", bytes);
    store.put(name, new ByteArrayInputStream(bytes));
    Path file =
        folder.resolve("blobs/a").resolve(name.digest().substring(0, 2)).resolve(name.digest());
    Files.write(file, bytes(3, 5));
    store.put(name, new ByteArrayInputStream(bytes));
    assertThat(file).hasBinaryContent(bytes);
  }

  @Test
  void refreshingTakesTheTimeOfTheClock() {
    byte[] bytes = bytes(10, 2);
    BlobName name = name("a", bytes);
    store.put(name, new ByteArrayInputStream(bytes));
    Instant later = Instant.parse("2031-05-01T10:00:00Z");
    FolderBlobStore.open(folder.resolve("blobs"), InstantSource.fixed(later)).refresh(name);
    assertThat(store.find(name).orElseThrow().keptAt()).isEqualTo(later);
  }

  @Test
  void aFolderThatWentAwayIsNotMadeAgain() throws IOException {
    byte[] bytes = bytes(10, 3);
    Files.move(folder.resolve("blobs"), folder.resolve("unmounted"));
    assertThatThrownBy(() -> store.put(name("a", bytes), new ByteArrayInputStream(bytes)))
        .isInstanceOfSatisfying(
            BlobException.class,
            e -> {
              assertThat(e.code()).isEqualTo(BlobException.Code.AWAY);
              assertThat(e.code().retryable()).isTrue();
            })
        .hasMessageContaining("not there any more");
    assertThatThrownBy(() -> store.find(name("a", bytes))).isInstanceOf(BlobException.class);
    assertThat(folder.resolve("blobs")).doesNotExist();
  }

  @Test
  void openingDeletesWhatAKilledServerLeftAndNotWhatAnotherWrites() throws IOException {
    Path old = Files.createFile(folder.resolve("blobs/.tmp/.part1"));
    Path young = Files.createFile(folder.resolve("blobs/.tmp/.part2"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    FolderBlobStore.open(folder.resolve("blobs"), InstantSource.system());
    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }

  @Test
  void aFullDiskIsSaidToBeFull() {
    BlobException full =
        FileFailures.of("an upload cannot be kept", new IOException("No space left on device"));
    assertThat(full.code()).isEqualTo(BlobException.Code.FULL);
    assertThat(full).hasMessageContaining("the disk is full");
  }
}
