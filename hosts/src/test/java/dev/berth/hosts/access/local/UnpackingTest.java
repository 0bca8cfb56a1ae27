package dev.berth.hosts.access.local;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.HostException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives that are put into place, and those that try to leave it. */
class UnpackingTest {
  @TempDir private Path folder;

  /** Builds an archive entry by entry. */
  private static final class Tar {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Tar file(String name, String text) {
      return entry(name, '0', text, "");
    }

    Tar folder(String name) {
      return entry(name, '5', "", "");
    }

    Tar link(String name, String to) {
      return entry(name, '2', "", to);
    }

    Tar entry(String name, char type, String text, String link) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      byte[] header = new byte[512];
      put(header, 0, name);
      put(header, 100, type == '5' ? "0000750" : "0000640");
      put(header, 124, "%011o".formatted(bytes.length));
      put(header, 136, "%011o".formatted(1000));
      header[156] = (byte) type;
      put(header, 157, link);
      Arrays.fill(header, 148, 156, (byte) ' ');
      int sum = 0;
      for (byte value : header) {
        sum += value & 0xff;
      }
      put(header, 148, "%06o\0".formatted(sum));
      out.writeBytes(header);
      out.writeBytes(bytes);
      out.writeBytes(new byte[(512 - bytes.length % 512) % 512]);
      return this;
    }

    private static void put(byte[] header, int offset, String value) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      System.arraycopy(bytes, 0, header, offset, bytes.length);
    }

    byte[] bytes() {
      byte[] cut = out.toByteArray();
      return Arrays.copyOf(cut, cut.length + 1024);
    }
  }

  private void unpack(byte[] tar, String target) {
    ThisMachine.ACCESS
        .files()
        .unpack(
            new ByteArrayInputStream(tar), path(folder.resolve("work").resolve(target)), "data");
  }

  private void refuses(Tar tar, String word) throws IOException {
    assertThatThrownBy(() -> unpack(tar.bytes(), "in"))
        .isInstanceOfSatisfying(
            HostException.class, e -> assertThat(e.code()).isEqualTo(HostException.Code.INPUT))
        .hasMessageContaining(word);
    try (var left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString())).containsOnly("work");
    }
  }

  @Test
  void aFolderComesWithModesTimesAndLinks() throws IOException {
    unpack(
        new Tar()
            .folder("content/")
            .folder("content/sub/")
            .file("content/sub/a", "hello")
            .link("content/b", "sub/a")
            .bytes(),
        "in");
    Path in = folder.resolve("work/in");
    assertThat(in.resolve("b")).isSymbolicLink().hasContent("hello");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(in.resolve("sub/a"))))
        .isEqualTo("rw-r-----");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(in.resolve("sub"))))
        .isEqualTo("rwxr-x---");
    assertThat(Files.getLastModifiedTime(in.resolve("sub")).toInstant().getEpochSecond())
        .isEqualTo(1000);
  }

  @Test
  void aSingleFileBecomesItsTargetAlsoASecondTime() throws IOException {
    byte[] tar = new Tar().file("content", "one").bytes();
    unpack(tar, "deep/below/name");
    unpack(tar, "deep/below/name");
    assertThat(folder.resolve("work/deep/below/name")).hasContent("one");
  }

  @Test
  void aFolderThatIsThereKeepsItsModeAndWhatIsInIt() throws IOException {
    Path there = Files.createDirectories(folder.resolve("work/in"));
    Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(there.resolve("mine"), "mine");
    unpack(new Tar().folder("content/").file("content/other", "other").bytes(), "in");
    assertThat(there.resolve("mine")).hasContent("mine");
    assertThat(there.resolve("other")).hasContent("other");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there)))
        .isEqualTo("rwx------");
  }

  @Test
  void nothingLeavesTheTarget() throws IOException {
    refuses(new Tar().file("content/../../evil", "x"), "not inside");
    refuses(new Tar().file("/evil", "x"), "not inside");
    refuses(new Tar().file("other/evil", "x"), "not inside");
    refuses(new Tar().file("content/..", "x"), "not inside");
    refuses(new Tar().folder("content/").link("content/a", "../../evil"), "outside");
    refuses(new Tar().folder("content/").link("content/a", "/etc"), "outside");
    refuses(new Tar().link("content", "elsewhere"), "outside");
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    // Each link leads to the inside as it is written, and both together would lead out.
    refuses(
        new Tar()
            .folder("content/")
            .folder("content/x/")
            .link("content/x/y", "..")
            .link("content/p", "x/y/../..")
            .file("content/p/evil", "x"),
        "is no folder");
    Path in = folder.resolve("work/in");
    Files.createDirectories(folder.resolve("work/outside"));
    Files.deleteIfExists(in.resolve("p"));
    Files.createSymbolicLink(in.resolve("p"), Path.of("../outside"));
    refuses(new Tar().folder("content/").file("content/p/evil", "x"), "is no folder");
    assertThat(folder.resolve("work/outside")).isEmptyDirectory();
  }

  @Test
  void whatIsNoArchiveOrEndsTooEarlyIsRefused() {
    byte[] whole = new Tar().folder("content/").file("content/a", "x".repeat(2000)).bytes();
    for (int length : new int[] {0, 100, 512, 1100, 2000, whole.length - 1024}) {
      assertThatThrownBy(() -> unpack(Arrays.copyOf(whole, length), "in"))
          .as("of %d bytes", length)
          .isInstanceOf(HostException.class);
    }
    byte[] noise = new byte[2048];
    Arrays.fill(noise, (byte) 'x');
    assertThatThrownBy(() -> unpack(noise, "in"))
        .hasMessageContaining("the archive has a broken header");
    assertThatThrownBy(() -> unpack(new Tar().entry("content", '3', "", "").bytes(), "in"))
        .hasMessageContaining("unknown type");
  }
}
