package dev.berth.backends.docker;

import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.ImageName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Images that are made on the spot, without a registry. */
final class TestImages {
  static final String BUSYBOX = "localhost/berth-test-busybox:1";

  /** One without a shell: its only program prints and ends. */
  static final String SHELLESS = "localhost/berth-test-shellless:1";

  /** One without a shell, whose only program does not end by itself. */
  static final String ENDLESS = "localhost/berth-test-endless:1";

  private static final Path PROGRAM = Path.of("/bin/busybox");
  private static final int BLOCK = 512;

  private TestImages() {}

  /** A shell with all its tools, users, and nothing else. */
  static void busybox(Engine engine) {
    busybox(engine, BUSYBOX, 0);
  }

  /**
   * The same under another name, and with a file that no engine can make smaller.
   *
   * @param ballast the bytes of the file
   */
  static void busybox(Engine engine, String name, int ballast) {
    Tar tar = new Tar();
    folders(tar);
    tar.file("bin/busybox", program(), 0755);
    for (String applet : applets()) {
      if (!applet.equals("busybox")) {
        tar.link("bin/" + applet, "busybox");
      }
    }
    tar.link("usr/bin/env", "../../bin/busybox");
    byte[] noise = new byte[ballast];
    new java.util.Random(ballast).nextBytes(noise);
    tar.file("srv/ballast", noise, 0644);
    engine.importImage(
        tar.stream(),
        ImageName.parse(name),
        List.of("CMD [\"sh\"]", "WORKDIR /srv", "ENV PATH=/bin:/usr/bin"));
  }

  /** The same program under one name, which makes it {@code cat}. */
  static void shellless(Engine engine) {
    Tar tar = new Tar();
    folders(tar);
    tar.file("cat", program(), 0755);
    engine.importImage(
        tar.stream(),
        ImageName.parse(SHELLESS),
        List.of("ENTRYPOINT [\"/cat\"]", "CMD [\"/etc/passwd\"]"));
  }

  /** The same program under a name that makes it {@code sleep}. */
  static void endless(Engine engine) {
    Tar tar = new Tar();
    folders(tar);
    tar.file("sleep", program(), 0755);
    engine.importImage(
        tar.stream(),
        ImageName.parse(ENDLESS),
        List.of("ENTRYPOINT [\"/sleep\"]", "CMD [\"3600\"]"));
  }

  private static void folders(Tar tar) {
    for (String folder :
        List.of("bin", "etc", "proc", "root", "srv", "sys", "dev", "usr", "usr/bin")) {
      tar.folder(folder, 0755);
    }
    tar.folder("tmp", 01777);
    tar.file(
        "etc/passwd",
        "root:x:0:0:root:/root:/bin/sh\nworker:x:1234:1235::/tmp:/bin/sh\n"
            .getBytes(StandardCharsets.UTF_8),
        0644);
    tar.file("etc/group", "root:x:0:\nworkers:x:1235:\n".getBytes(StandardCharsets.UTF_8), 0644);
  }

  private static byte[] program() {
    Assumptions.assumeTrue(
        Files.isExecutable(PROGRAM),
        "docker and podman are not tried: there is no busybox to make an image of");
    try {
      return Files.readAllBytes(PROGRAM);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static List<String> applets() {
    try {
      Process list = new ProcessBuilder(PROGRAM.toString(), "--list").start();
      String text = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A tar in memory. */
  private static final class Tar {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void folder(String name, int mode) {
      header(name + "/", mode, 0, '5', "");
    }

    void link(String name, String target) {
      header(name, 0777, 0, '2', target);
    }

    void file(String name, byte[] content, int mode) {
      header(name, mode, content.length, '0', "");
      bytes.writeBytes(content);
      bytes.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    private void header(String name, int mode, int size, char kind, String link) {
      byte[] block = new byte[BLOCK];
      put(block, 0, name);
      put(block, 100, "%07o".formatted(mode));
      put(block, 108, "%07o".formatted(0));
      put(block, 116, "%07o".formatted(0));
      put(block, 124, "%011o".formatted(size));
      put(block, 136, "%011o".formatted(0));
      put(block, 148, " ".repeat(8));
      put(block, 156, String.valueOf(kind));
      put(block, 157, link);
      put(block, 257, "ustar");
      put(block, 263, "00");
      int sum = 0;
      for (byte one : block) {
        sum += one & 0xff;
      }
      put(block, 148, "%06o\0 ".formatted(sum));
      bytes.writeBytes(block);
    }

    private static void put(byte[] block, int offset, String text) {
      byte[] value = text.getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(value, 0, block, offset, value.length);
    }

    ByteArrayInputStream stream() {
      bytes.writeBytes(new byte[2 * BLOCK]);
      return new ByteArrayInputStream(bytes.toByteArray());
    }
  }
}
