package dev.berth.hosts.jobdir;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a job may put into its folder, and how little comes of it. */
@Timeout(60)
class JobDirectoryTest {
  @TempDir Path folder = Path.of("");

  private Path secret = Path.of("");
  private JobDirectory directory = new JobDirectory(ThisMachine.ACCESS.files(), path(Path.of("")));

  @BeforeEach
  void prepare() throws IOException {
    secret = Files.writeString(folder.resolve("secret"), "0 exited 1700000000000\n");
    JobStore store = JobStore.ofContainers(ThisMachine.ACCESS, path(folder), Instant.now());
    store.prepare("a", _ -> {});
    directory = store.directory("a");
  }

  private void seesNothing(String name) {
    assertThat(directory.has(name)).isFalse();
    assertThat(directory.text(name)).isEmpty();
    assertThat(directory.lines(name)).isEmpty();
    assertThat(directory.bytes(name, 0, 100)).isEmpty();
    assertThat(directory.size(name)).isZero();
    assertThat(directory.modified(name)).isEmpty();
    assertThat(directory.exit()).isEmpty();
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Files.createSymbolicLink(path(directory.file("exit")), secret);
    seesNothing("exit");
    directory.replace("exit", "mine");
    assertThat(path(directory.file("exit"))).isRegularFile().hasContent("mine");
    Files.createSymbolicLink(path(directory.file("runner")), secret);
    assertThat(directory.createOnce("runner", "mine")).isTrue();
    assertThat(path(directory.file("runner"))).isRegularFile().hasContent("mine");
    assertThat(directory.createOnce("runner", "another")).isFalse();
    assertThat(secret).hasContent("0 exited 1700000000000\n");
  }

  @Test
  void nobodyWaitsAtPipes() throws Exception {
    Process pipe = new ProcessBuilder("mkfifo", path(directory.file("exit")).toString()).start();
    assertThat(pipe.waitFor()).isZero();
    seesNothing("exit");
    directory.replace("exit", "mine");
    assertThat(directory.text("exit")).contains("mine");
  }

  @Test
  void foldersMakeWay() throws IOException {
    for (String name : new String[] {"exit", "runner", "secrets.env"}) {
      Files.createDirectories(path(directory.file(name)).resolve("full"));
      seesNothing(name);
    }
    directory.replace("exit", "mine");
    assertThat(directory.text("exit")).contains("mine");
    assertThat(directory.createOnce("runner", "mine")).isTrue();
    directory.delete("secrets.env");
    assertThat(path(directory.file("secrets.env"))).doesNotExist();
  }

  @Test
  void noMoreIsReadThanMakesSense() throws IOException {
    for (String name : new String[] {"exit", "metrics"}) {
      try (RandomAccessFile file =
          new RandomAccessFile(path(directory.file(name)).toFile(), "rw")) {
        file.setLength(3L << 30);
        file.seek(3L << 30);
        file.write("\nlast\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThat(directory.text("exit").orElseThrow()).hasSize(64 * 1024);
    assertThat(directory.exit()).isEmpty();
    assertThat(directory.lines("metrics")).endsWith("last");
  }

  @Test
  void whatIsNoTextIsNoFailure() throws IOException {
    Files.write(path(directory.file("exit")), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(directory.exit()).isEmpty();
    Files.writeString(path(directory.file("metrics")), "999999999999999999 1 1\n");
    assertThat(RecordedUsage.last(directory, null)).isEmpty();
  }

  @Test
  void timesAreSuchThatOneCanCountWithThem() throws IOException {
    Files.writeString(path(directory.file("process")), "1 1\n");
    Files.setLastModifiedTime(
        path(directory.file("process")), FileTime.from(Instant.ofEpochSecond(-9_000_000_000L)));
    assertThat(directory.modified("process")).contains(Instant.EPOCH);
  }

  @Test
  void whatIsObeyedIsWhereNoContainerSeesIt() throws IOException {
    for (String name : new String[] {"container", "prepared", "launched", "direct", "registry"}) {
      directory.replace(name, "mine");
      Files.writeString(path(directory.path()).resolve(name), "forged");
      assertThat(directory.text(name)).contains("mine");
      Files.delete(path(directory.path()).resolve(name));
    }
    assertThat(path(directory.own())).isNotEqualTo(path(directory.path()));
    assertThat(path(directory.own()).startsWith(path(directory.path()))).isFalse();
  }

  @Test
  void nothingIsLeftOfReadingAndWriting() throws IOException {
    directory.replace("stop", "0 killed");
    assertThat(directory.text("stop")).contains("0 killed");
    assertThat(directory.createOnce("stop", "")).isFalse();
    try (Stream<Path> orders = Files.list(folder.resolve("orders"))) {
      assertThat(orders).containsExactly(path(directory.own()));
    }
    JobStore store = JobStore.ofContainers(ThisMachine.ACCESS, path(folder), Instant.now());
    store.remove("a");
    try (Stream<Path> left = Files.walk(folder).filter(path -> path.toString().contains("/a"))) {
      assertThat(left).isEmpty();
    }
  }
}
