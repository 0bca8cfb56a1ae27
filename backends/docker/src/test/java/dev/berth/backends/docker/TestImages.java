package dev.berth.backends.docker;

import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.EngineRequest;
import dev.berth.hosts.docker.ImageName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Images that are made on the spot, without a registry. */
public final class TestImages {
  public static final String BUSYBOX = "localhost/berth-test-busybox:1";

  /** One without a shell: its only program prints and ends. */
  static final String SHELLESS = "localhost/berth-test-shellless:1";

  /** One without a shell, whose only program does not end by itself. */
  static final String ENDLESS = "localhost/berth-test-endless:1";

  /** One for machines that are rare. */
  static final String FOREIGN = "localhost/berth-test-foreign:1";

  private static final Path PROGRAM = Path.of("/bin/busybox");

  private TestImages() {}

  /** A shell with all its tools, users, and nothing else. */
  public static void busybox(Engine engine) {
    busybox(engine, BUSYBOX, 0);
  }

  /**
   * The same under another name, and with a file that no engine can make smaller.
   *
   * @param ballast the bytes of the file
   */
  public static void busybox(Engine engine, String name, int ballast) {
    busybox(engine, name, ballast, List.of());
  }

  /** The same with the variable by which images of NVIDIA's ask for all GPUs. */
  static void greedy(Engine engine, String name) {
    busybox(engine, name, 0, List.of("ENV NVIDIA_VISIBLE_DEVICES=all"));
  }

  private static void busybox(Engine engine, String name, int ballast, List<String> more) {
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
    List<String> changes =
        new ArrayList<>(List.of("CMD [\"sh\"]", "WORKDIR /srv", "ENV PATH=/bin:/usr/bin"));
    changes.addAll(more);
    engine.images().importTar(tar.stream(), ImageName.parse(name), changes);
  }

  /** The same program under one name, which makes it {@code cat}. */
  static void shellless(Engine engine) {
    engine
        .images()
        .importTar(
            new ByteArrayInputStream(shelllessFiles()),
            ImageName.parse(SHELLESS),
            List.of("ENTRYPOINT [\"/cat\"]", "CMD [\"/etc/passwd\"]"));
  }

  /** The files of that image, as a tar. */
  static byte[] shelllessFiles() {
    Tar tar = new Tar();
    folders(tar);
    tar.file("cat", program(), 0755);
    return tar.stream().readAllBytes();
  }

  /** The same program under a name that makes it {@code sleep}. */
  static void endless(Engine engine) {
    Tar tar = new Tar();
    folders(tar);
    tar.file("sleep", program(), 0755);
    engine
        .images()
        .importTar(
            tar.stream(),
            ImageName.parse(ENDLESS),
            List.of("ENTRYPOINT [\"/sleep\"]", "CMD [\"3600\"]"));
  }

  /** The usual files, with a configuration that says they are for another architecture. */
  static void foreign(TestEngine engine) {
    Tar layer = new Tar();
    folders(layer);
    layer.file("bin/sh", program(), 0755);
    byte[] files = layer.bytes();
    String config =
        """
        {"architecture":"s390x","os":"linux","config":{"Cmd":["sh"]},
         "rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}
        """
            .formatted(sha256(files));
    Tar image = new Tar();
    image.file("layer.tar", files, 0644);
    image.file("config.json", config.getBytes(StandardCharsets.UTF_8), 0644);
    image.file(
        "manifest.json",
        "[{\"Config\":\"config.json\",\"RepoTags\":[\"%s\"],\"Layers\":[\"layer.tar\"]}]"
            .formatted(FOREIGN)
            .getBytes(StandardCharsets.UTF_8),
        0644);
    engine.call(EngineRequest.of("POST", "/images/load").tar(image.stream()));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static void folders(Tar tar) {
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
}
