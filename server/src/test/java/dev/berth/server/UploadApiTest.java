package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.client.files.PackedFile;
import dev.berth.client.files.Uploader;
import dev.berth.model.ArchiveManifest;
import dev.berth.model.Sha256;
import dev.berth.model.api.RunRequest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files on their way from a user's machine into jobs. */
@Timeout(600)
class UploadApiTest {
  private static final int CHUNK = ArchiveManifest.CHUNK_BYTES;

  /** A gigabyte where counts are those of the issue. */
  private static final long LARGE =
      System.getProperty("berth.soak", "").isEmpty() ? 64L << 20 : 1L << 30;

  @TempDir Path home = Path.of("");
  @TempDir Path files = Path.of("");
  @TempDir Path packing = Path.of("");

  private static final Uploader.Progress SILENT =
      new Uploader.Progress() {
        @Override
        public void sent(long bytes, long of) {}

        @Override
        public void broken(String sentence) {}
      };

  private static void upload(BerthClient client, PackedFile file) {
    new Uploader(client, RunningServer.PROJECT, SILENT, _ -> {}).upload(file);
  }

  private PackedFile packed(Path source) {
    return PackedFile.of(source, packing);
  }

  /** A task that gets one file or folder. */
  private static RunRequest task(String name, String archive, String target, String... commands) {
    Map<String, @Nullable Object> tree =
        new LinkedHashMap<>(RunningServer.task(name, commands).configuration());
    tree.put(
        "files",
        List.of(Map.of("local_path", "/home/ann/data", "path", target, "archive", archive)));
    return new RunRequest(name, tree);
  }

  private String largeFile(Path path, long size) throws IOException {
    Random random = new Random(7);
    MessageDigest digest = Sha256.begin();
    byte[] piece = new byte[1 << 20];
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
      for (long left = size; left > 0; left -= piece.length) {
        random.nextBytes(piece);
        out.write(piece);
        digest.update(piece);
      }
    }
    return Sha256.end(digest);
  }

  private long storedChunks() throws IOException {
    Path folder = home.resolve("server/blobs/projects/main/chunks");
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void anUploadThatIsCutFiveTimesGoesOnWithWhatIsMissing() throws Exception {
    Path large = files.resolve("large");
    String digest = largeFile(large, LARGE);
    try (RunningServer server = new RunningServer(home);
        PackedFile file = packed(large)) {
      ConcurrentLinkedQueue<Long> cuts = new ConcurrentLinkedQueue<>();
      for (int i = 1; i <= 5; i++) {
        cuts.add(LARGE / 6 * i + CHUNK / 2);
      }
      try (CuttingProxy line = new CuttingProxy(server.server().url(), cuts);
          BerthClient client =
              new BerthClient(line.url(), Files.readString(home.resolve("token")).strip())) {
        upload(client, file);
        assertThat(line.cutSoFar()).isEqualTo(5);
        assertThat(line.sent()).isGreaterThan(LARGE).isLessThan(LARGE + 5L * CHUNK);
      }
      server.submit(
          task("sum", file.manifest().digest(), "in/large", "sha256sum in/large | cut -c1-64"));
      assertThat(new String(server.outputOf("sum"), StandardCharsets.UTF_8).strip())
          .isEqualTo(digest);
    }
  }

  @Test
  void equalUploadsAtTheSameTimeAreStoredOnceAndAThirdSendsNothing() throws Exception {
    Path large = files.resolve("large");
    largeFile(large, 20L << 20);
    try (RunningServer server = new RunningServer(home);
        PackedFile file = packed(large);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> uploads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        uploads.add(threads.submit(() -> upload(server.client(), file)));
      }
      for (Future<?> upload : uploads) {
        upload.get();
      }
      assertThat(storedChunks()).isEqualTo(file.manifest().chunks().size()).isEqualTo(6);
      try (CuttingProxy line =
              new CuttingProxy(server.server().url(), new ConcurrentLinkedQueue<>());
          BerthClient client =
              new BerthClient(line.url(), Files.readString(home.resolve("token")).strip())) {
        upload(client, file);
        assertThat(line.sent()).isLessThan(10_000);
      }
    }
  }

  @Test
  void aJobFindsTheFolderAsItWasPackedWhateverHappensToItSince() throws Exception {
    Path folder = Files.createDirectories(files.resolve("code"));
    Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\necho first\n");
    Files.setPosixFilePermissions(
        folder.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-x---"));
    String deep = "a-rather-long-name-of-a-folder-0123456789/".repeat(5);
    Files.createDirectories(folder.resolve(deep));
    Files.writeString(folder.resolve(deep + "grüße ☃.txt"), "deep");
    Files.createFile(folder.resolve("empty"));
    Files.createDirectory(folder.resolve("nothing-inside"));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("run.sh"));
    Files.writeString(folder.resolve(".gitignore"), "*.log\n!keep.log\nbuild/\n");
    Files.writeString(folder.resolve(".berthignore"), "/secret.txt\n");
    for (String name : List.of("a.log", "keep.log", "secret.txt", "build/x", "sub/secret.txt")) {
      Files.createDirectories(folder.resolve(name).getParent());
      Files.writeString(folder.resolve(name), name);
    }
    try (RunningServer server = new RunningServer(home);
        PackedFile file = packed(folder)) {
      upload(server.client(), file);
      Files.writeString(folder.resolve("run.sh"), "echo second\n");
      server.submit(
          task(
              "tree",
              file.manifest().digest(),
              "code",
              "./code/run.sh && ./code/link",
              "find code -type f | LC_ALL=C sort",
              "stat -c %a code/run.sh; test -d code/nothing-inside; cat \"$(find code -name"
                  + " 'gr*')\""));
      assertThat(new String(server.outputOf("tree"), StandardCharsets.UTF_8))
          .isEqualTo(
              """
              first
              first
              code/.berthignore
              code/.gitignore
              code/%sgrüße ☃.txt
              code/empty
              code/keep.log
              code/run.sh
              code/sub/secret.txt
              750
              deep\
              """
                  .formatted(deep));
      assertThat(packing).isDirectoryContaining("glob:**.tar");
    }
    assertThat(packing).isEmptyDirectory();
  }

  @Test
  void aFolderOfTenThousandFilesArrives() throws Exception {
    Path folder = Files.createDirectories(files.resolve("many"));
    for (int i = 0; i < 10_000; i++) {
      Path part = folder.resolve("part" + i / 100);
      if (i % 100 == 0) {
        Files.createDirectory(part);
      }
      Files.writeString(part.resolve("file" + i), "content " + i);
    }
    try (RunningServer server = new RunningServer(home);
        PackedFile file = packed(folder)) {
      upload(server.client(), file);
      server.submit(
          task(
              "many",
              file.manifest().digest(),
              ".",
              "find part* -type f | wc -l; cat part*/file9999"));
      assertThat(new String(server.outputOf("many"), StandardCharsets.UTF_8))
          .isEqualTo("10000\ncontent 9999");
    }
  }

  @Test
  void packingTheSameFilesGivesTheSameArchive() throws Exception {
    Path folder = Files.createDirectories(files.resolve("same"));
    for (int i = 0; i < 50; i++) {
      Files.writeString(folder.resolve("file" + i), "content " + i);
    }
    try (PackedFile one = packed(folder);
        PackedFile two = packed(folder)) {
      assertThat(one.manifest()).isEqualTo(two.manifest());
    }
  }

  @Test
  void aRunThatWaitedThroughARestartGetsItsFiles() throws Exception {
    Path word = Files.writeString(files.resolve("word"), "kept");
    Path go = files.resolve("go");
    try (PackedFile file = packed(word)) {
      try (RunningServer server = new RunningServer(home)) {
        upload(server.client(), file);
        server.submit(RunningServer.task("first", "until test -e " + go + "; do sleep 0.05; done"));
        RunRequest second = task("second", file.manifest().digest(), "word", "cat word");
        Map<String, @Nullable Object> tree = new LinkedHashMap<>(second.configuration());
        tree.put("after", List.of("first"));
        server.submit(new RunRequest("second", tree));
      }
      try (RunningServer server = new RunningServer(home)) {
        Files.createFile(go);
        assertThat(new String(server.outputOf("second"), StandardCharsets.UTF_8)).isEqualTo("kept");
      }
    }
  }

  @Test
  void whatWasNotUploadedIsRefused() throws Exception {
    Path word = Files.writeString(files.resolve("word"), "secret");
    try (RunningServer server = new RunningServer(home);
        PackedFile file = packed(word)) {
      String archive = file.manifest().digest();
      assertThatThrownBy(() -> server.submit(task("none", archive, "word", "cat word")))
          .isInstanceOf(ClientException.class)
          .hasMessageContaining("files[0].archive")
          .hasMessageContaining("upload it again");
      Map<String, @Nullable Object> tree =
          new LinkedHashMap<>(RunningServer.task("path", "cat word").configuration());
      tree.put("files", List.of(Map.of("local_path", "/etc/passwd", "path", "word")));
      assertThatThrownBy(() -> server.submit(new RunRequest("path", tree)))
          .isInstanceOf(ClientException.class)
          .hasMessageContaining("was not uploaded");
      upload(server.client(), file);
      server.submit(task("word", archive, "word", "cat word"));
      assertThat(new String(server.outputOf("word"), StandardCharsets.UTF_8)).isEqualTo("secret");
    }
  }

  @Test
  void knowingADigestOpensNothingInAnotherProject() throws Exception {
    Path word = Files.writeString(files.resolve("word"), "secret");
    try (RunningServer server = new RunningServer(home);
        PackedFile file = packed(word)) {
      upload(server.client(), file);
      new People(server).project("other");
      assertThat(server.client().nameUpload("other", file.manifest()).missing())
          .containsExactly(file.manifest().chunks().getFirst().digest());
      assertThatThrownBy(
              () ->
                  server
                      .client()
                      .submit(
                          "other",
                          task("word", file.manifest().digest(), "word", "cat word"),
                          "once"))
          .isInstanceOf(ClientException.class)
          .hasMessageContaining("no such upload in the project 'other'");
    }
  }

  @Test
  void whatIsTooLargeOrNotWhatItSaysIsRefused() throws Exception {
    Files.writeString(home.resolve("server.yml"), "upload-limit: 5MB\n");
    Path large = files.resolve("large");
    largeFile(large, 5L << 20);
    try (RunningServer server = new RunningServer(home);
        PackedFile file = packed(large)) {
      assertThatThrownBy(() -> upload(server.client(), file))
          .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(413))
          .hasMessageContaining("5,242,880")
          .hasMessageContaining(".berthignore");
      byte[] other = new byte[] {1, 2, 3};
      assertThatThrownBy(
              () ->
                  server.client().putChunk(RunningServer.PROJECT, Sha256.of(new byte[] {4}), other))
          .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(400))
          .hasMessageContaining("others than their name says");
      assertThat(storedChunks()).isZero();
      // A piece that says its length is refused before it is read.
      assertThatThrownBy(
              () ->
                  server
                      .client()
                      .putChunk(
                          RunningServer.PROJECT, Sha256.of(new byte[] {5}), new byte[CHUNK + 1]))
          .isInstanceOf(ClientException.class);
      assertThat(storedChunks()).isZero();
    }
  }
}
