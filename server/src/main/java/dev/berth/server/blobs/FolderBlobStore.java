package dev.berth.server.blobs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Blobs as files of a folder: {@code <space>/<first two digits>/<digest>}. */
public final class FolderBlobStore implements BlobStore {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Spaces begin with a letter or digit, so none is called like this. */
  private static final String TEMPORARY = ".tmp";

  private final Path root;
  private final InstantSource clock;

  private FolderBlobStore(Path root, InstantSource clock) {
    this.root = root;
    this.clock = clock;
  }

  /**
   * Opens a folder, which is made where it is missing.
   *
   * @throws BlobException {@code AWAY} where it cannot be written to
   */
  public static FolderBlobStore open(Path root, InstantSource clock) {
    FolderBlobStore store = new FolderBlobStore(root.toAbsolutePath(), clock);
    try {
      Path temporary = store.root.resolve(TEMPORARY);
      Files.createDirectories(temporary, OWNER_ONLY);
      VerifiedFile.deleteAbandoned(temporary, clock);
    } catch (IOException e) {
      throw FileFailures.of("the folder for uploads " + root + " cannot be used", e);
    }
    return store;
  }

  @Override
  public void put(BlobName name, InputStream content) {
    Path temporary = root.resolve(TEMPORARY);
    requireRoot();
    try (VerifiedFile file = VerifiedFile.of(content, name.digest(), temporary)) {
      if (find(name).filter(there -> there.size() == file.size()).isPresent() && refresh(name)) {
        return;
      }
      Path folder = folder(name);
      Files.createDirectories(folder, OWNER_ONLY);
      // One clock for all ages: that of a share may be another one.
      Files.setLastModifiedTime(file.path(), FileTime.from(clock.instant()));
      Files.move(file.path(), path(name), StandardCopyOption.ATOMIC_MOVE);
      sync(folder);
    } catch (IOException e) {
      throw FileFailures.of("an upload cannot be kept in " + root, e);
    }
  }

  /** A new name in a folder outlives a crash only when the folder is written, too. */
  private static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** A share that is not mounted must not be replaced by a folder on the disk below it. */
  private void requireRoot() {
    if (!Files.isDirectory(root.resolve(TEMPORARY))) {
      throw new BlobException(
          BlobException.Code.AWAY,
          "the folder for uploads "
              + root
              + " is not there any more; mount it again, or start the server anew",
          null);
    }
  }

  @Override
  public InputStream open(BlobName name, long offset, long length) {
    try {
      FileChannel channel = FileChannel.open(path(name), StandardOpenOption.READ);
      try {
        channel.position(offset);
        return new BoundedStream(Channels.newInputStream(channel), length);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      requireRoot();
      throw gone(name);
    } catch (IOException e) {
      throw FileFailures.of("an upload cannot be read in " + root, e);
    }
  }

  static BlobException gone(BlobName name) {
    return new BlobException(BlobException.Code.GONE, "the blob " + name + " is not there", null);
  }

  @Override
  public Optional<StoredBlob> find(BlobName name) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path(name), BasicFileAttributes.class);
      return Optional.of(
          new StoredBlob(name, attributes.size(), attributes.lastModifiedTime().toInstant()));
    } catch (NoSuchFileException e) {
      requireRoot();
      return Optional.empty();
    } catch (IOException e) {
      throw FileFailures.of("an upload cannot be looked for in " + root, e);
    }
  }

  @Override
  public boolean refresh(BlobName name) {
    try {
      Files.setLastModifiedTime(path(name), FileTime.from(clock.instant()));
      return true;
    } catch (NoSuchFileException e) {
      requireRoot();
      return false;
    } catch (IOException e) {
      throw FileFailures.of("an upload cannot be refreshed in " + root, e);
    }
  }

  @Override
  public void delete(BlobName name) {
    requireRoot();
    try {
      Files.deleteIfExists(path(name));
    } catch (IOException e) {
      throw FileFailures.of("an upload cannot be deleted in " + root, e);
    }
  }

  @Override
  public void list(String space, Consumer<StoredBlob> each) {
    requireRoot();
    Path folder = root.resolve(BlobName.requireSpace(space));
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder, "[0-9a-f][0-9a-f]")) {
      for (Path part : folders) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(part)) {
          for (Path file : files) {
            find(new BlobName(space, file.getFileName().toString())).ifPresent(each);
          }
        }
      }
    } catch (IOException e) {
      throw FileFailures.of("uploads cannot be listed in " + root, e);
    }
  }

  private Path path(BlobName name) {
    return folder(name).resolve(name.digest());
  }

  private Path folder(BlobName name) {
    return root.resolve(name.space()).resolve(name.digest().substring(0, 2));
  }

  @Override
  public String describe() {
    return "the folder " + root;
  }

  @Override
  public void close() {}
}
