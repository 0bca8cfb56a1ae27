package dev.berth.cli;

import dev.berth.client.files.GitClone;
import dev.berth.client.files.PackedFile;
import dev.berth.client.files.PackingException;
import dev.berth.client.files.Uploader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a run, packed and on their way. Closing deletes what was packed. */
final class PackedFiles implements AutoCloseable {
  /** Older ones were left by a command that was killed. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private final List<PackedFile> packed;

  private PackedFiles(List<PackedFile> packed) {
    this.packed = packed;
  }

  /** Packs each of them, and last what differs in a clone, where there is one. */
  static PackedFiles of(List<Path> sources, @Nullable GitClone clone) {
    PackedFiles files = new PackedFiles(new ArrayList<>());
    if (sources.isEmpty() && clone == null) {
      return files;
    }
    Path folder = Home.find().folder().resolve("uploads");
    try {
      Files.createDirectories(folder);
      deleteAbandoned(folder);
      for (Path source : sources) {
        files.packed.add(PackedFile.of(source, folder));
      }
      if (clone != null) {
        files.packed.add(PackedFile.of(clone, folder));
      }
      return files;
    } catch (IOException e) {
      files.close();
      throw new CommandFailure(
          ExitCode.FAILED, folder + " cannot be used to pack files: " + e.getMessage());
    } catch (PackingException e) {
      files.close();
      throw new CommandFailure(ExitCode.INVALID_FILE, String.valueOf(e.getMessage()));
    }
  }

  private static void deleteAbandoned(Path folder) throws IOException {
    FileTime before = FileTime.from(Instant.now().minus(ABANDONED));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "packed*.tar")) {
      for (Path file : files) {
        if (Files.exists(file) && Files.getLastModifiedTime(file).compareTo(before) < 0) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** What the archives are called, in the order in which they were packed. */
  List<String> archives() {
    return packed.stream().map(file -> file.manifest().digest()).toList();
  }

  /** Sends what the server has not. */
  void upload(Connection connection, PrintWriter err) {
    UploadProgress progress = new UploadProgress(err);
    Uploader uploader =
        new Uploader(connection.client(), connection.project(), progress, Thread::sleep);
    for (PackedFile file : packed) {
      uploader.upload(file);
      progress.end();
    }
  }

  @Override
  public void close() {
    packed.forEach(PackedFile::close);
  }
}
