package dev.berth.hosts.jobdir;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders that are on their way, or in the way. */
class JobStoreTest {
  private final Instant now = Instant.now();

  @TempDir Path folder = Path.of("");

  @AfterEach
  void deleteWhatJavaCannot() throws Exception {
    Process deletion =
        new ProcessBuilder("rm", "-rf", "jobs", "orders").directory(folder.toFile()).start();
    assertThat(deletion.waitFor()).isZero();
  }

  /** Deeper than the longest path, so that nobody who names it by its path can delete it. */
  private void fill(Path deep) throws IOException {
    String half = ("/" + "d".repeat(200)).repeat(14);
    Path upper = Files.createDirectories(Path.of(deep + half));
    Path lower = folder.resolve("lower");
    Files.createDirectories(Path.of(lower + half));
    Files.move(lower, upper.resolve("lower"));
  }

  private void age(Path path) throws IOException {
    Files.setLastModifiedTime(path, FileTime.from(now.minus(Duration.ofDays(3))));
  }

  @Test
  void whatCannotBeDeletedKeepsNobodyFromOpening() throws Exception {
    JobStore.ofContainers(ThisMachine.ACCESS, path(folder), now);
    Path stuck = Files.createDirectory(folder.resolve("jobs/.old-stuck"));
    Path old = Files.createDirectory(folder.resolve("jobs/.new-old"));
    fill(stuck);
    age(stuck);
    age(old);
    JobStore store = JobStore.ofContainers(ThisMachine.ACCESS, path(folder), now);
    assertThat(old).doesNotExist();
    store.prepare("a", _ -> {});
    fill(path(store.directory("a").path()));
    store.remove("a");
    assertThat(store.attempts()).isEmpty();
    assertThat(folder.resolve("orders/a")).doesNotExist();
  }

  @Test
  void orderWithoutAJobIsNotObeyedAndNotKept() throws Exception {
    JobStore store = JobStore.ofContainers(ThisMachine.ACCESS, path(folder), now);
    Path order = Files.createDirectory(folder.resolve("orders/a"));
    Files.writeString(order.resolve("launched"), "");
    store.prepare("a", _ -> {});
    assertThat(store.directory("a").has("launched")).isFalse();
    assertThat(store.directory("a").text("prepared"))
        .contains(ThisMachine.ACCESS.processes().bootId());
    Path abandoned = Files.createDirectory(folder.resolve("orders/b"));
    age(abandoned);
    age(path(store.directory("a").own()));
    JobStore.ofContainers(ThisMachine.ACCESS, path(folder), now);
    assertThat(abandoned).doesNotExist();
    assertThat(path(store.directory("a").own())).exists();
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws Exception {
    JobStore store = JobStore.ofContainers(ThisMachine.ACCESS, path(folder), now);
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("kept"), "");
    store.prepare("a", _ -> {});
    Files.createSymbolicLink(path(store.directory("a").file("link")), other);
    store.remove("a");
    assertThat(other.resolve("kept")).exists();
  }
}
