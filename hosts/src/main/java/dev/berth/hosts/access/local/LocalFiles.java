package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.FileAccess;
import dev.berth.hosts.access.FileFacts;
import dev.berth.hosts.access.FolderQuery;
import dev.berth.hosts.access.FolderView;
import dev.berth.hosts.access.FolderWatch;
import dev.berth.hosts.access.MachineFiles;
import dev.berth.hosts.access.MachinePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The files of this machine. */
final class LocalFiles implements MachineFiles {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<?> OPEN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
  private static final FileAttribute<?> OWNER_ONLY_FILE =
      PosixFilePermissions.asFileAttribute(mode(FileAccess.OWNER));

  private final PlainFiles plain;
  private final LocalWatches watches;

  /**
   * All files.
   *
   * @param staging where temporary names are; null for next to the file
   */
  LocalFiles(@Nullable Path staging, LocalWatches watches) {
    this.plain = new PlainFiles(staging);
    this.watches = watches;
  }

  @Override
  public MachineFiles stagedIn(MachinePath folder) {
    return new LocalFiles(path(folder), watches);
  }

  static Path path(MachinePath path) {
    return Path.of(path.text());
  }

  private static Set<PosixFilePermission> mode(FileAccess access) {
    return PosixFilePermissions.fromString(
        switch (access) {
          case OWNER -> "rw-------";
          case EVERYBODY -> "rw-r--r--";
        });
  }

  /** What may fail on the disk. */
  private interface Call<T> {
    T run(Path path) throws IOException;
  }

  private interface Step {
    void run(Path path) throws IOException;
  }

  private static <T> T on(MachinePath path, String trouble, Call<T> call) {
    try {
      return call.run(path(path));
    } catch (IOException failure) {
      throw LocalFailures.of(path + " " + trouble, failure);
    }
  }

  private static void change(MachinePath path, String trouble, Step step) {
    on(
        path,
        trouble,
        file -> {
          step.run(file);
          return true;
        });
  }

  @Override
  public List<FolderView> look(Collection<FolderQuery> queries) {
    return queries.stream().<FolderView>map(query -> new LocalView(plain, query)).toList();
  }

  @Override
  public Optional<FileFacts> find(MachinePath file) {
    return on(file, "is not readable", path -> PlainFiles.find(path).map(LocalFiles::facts));
  }

  static FileFacts facts(BasicFileAttributes attributes) {
    return new FileFacts(attributes.size(), attributes.lastModifiedTime().toInstant());
  }

  @Override
  public Optional<byte[]> read(MachinePath file, long offset, int most) {
    return on(file, "is not readable", path -> plain.read(path, offset, most));
  }

  @Override
  public boolean exists(MachinePath path) {
    return Files.exists(path(path));
  }

  @Override
  public boolean isFolder(MachinePath path) {
    return Files.isDirectory(path(path));
  }

  @Override
  public List<String> list(MachinePath folder) {
    return on(
        folder,
        "is not readable",
        path -> {
          try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            List<String> names = new ArrayList<>();
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
            return List.copyOf(names);
          } catch (DirectoryIteratorException failure) {
            throw new IOException(failure);
          }
        });
  }

  @Override
  public Optional<Instant> changed(MachinePath path) {
    return on(
        path,
        "cannot be looked at",
        found -> {
          try {
            return Optional.of(
                Files.getLastModifiedTime(found, LinkOption.NOFOLLOW_LINKS).toInstant());
          } catch (NoSuchFileException gone) {
            return Optional.empty();
          }
        });
  }

  @Override
  public Optional<Long> usableBytes(MachinePath path) {
    return on(
        path,
        "is on a disk that cannot be looked at",
        found ->
            Files.exists(found)
                ? Optional.of(Files.getFileStore(found).getUsableSpace())
                : Optional.empty());
  }

  @Override
  public String owner(MachinePath path) {
    return on(
        path,
        "does not tell its owner",
        found ->
            Files.getAttribute(found, "unix:uid") + ":" + Files.getAttribute(found, "unix:gid"));
  }

  @Override
  public boolean isOurs(MachinePath path) {
    return on(
        path,
        "does not tell its owner",
        found ->
            Files.getAttribute(found, "unix:uid")
                .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")));
  }

  @Override
  public MachinePath createFolders(MachinePath folder) {
    return on(
        folder,
        "cannot be used as a folder",
        path ->
            MachinePath.of(
                Files.createDirectories(path.toAbsolutePath(), OWNER_ONLY)
                    .toRealPath()
                    .toString()));
  }

  @Override
  public void createFolder(MachinePath folder, FileAccess access) {
    FileAttribute<?> mode =
        switch (access) {
          case OWNER -> OWNER_ONLY;
          case EVERYBODY -> OPEN;
        };
    change(folder, "cannot be created", path -> Files.createDirectory(path, mode));
  }

  @Override
  public void create(MachinePath file, String content) {
    change(
        file,
        "cannot be created",
        path -> {
          Files.createFile(path, OWNER_ONLY_FILE);
          Files.writeString(path, content);
        });
  }

  @Override
  public boolean createOnce(MachinePath file, String content) {
    return on(file, "is not writable", path -> plain.createOnce(path, content));
  }

  @Override
  public void replace(MachinePath file, String content, FileAccess access) {
    change(file, "is not writable", path -> plain.replace(path, content, mode(access)));
  }

  @Override
  public void replaceDurably(MachinePath file, String content) {
    change(
        file,
        "is not writable",
        path -> {
          Path fresh = path.resolveSibling(path.getFileName() + ".new");
          try (OutputStream out =
              Files.newOutputStream(
                  fresh,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.SYNC)) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
          }
          Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        });
  }

  @Override
  public void overwrite(MachinePath file, String content) {
    change(file, "is not writable", path -> Files.writeString(path, content));
  }

  @Override
  public void append(MachinePath file, byte[] bytes, int offset, int length) {
    change(
        file,
        "is not writable",
        path -> {
          try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.APPEND)) {
            out.write(bytes, offset, length);
          }
        });
  }

  @Override
  public void setModified(MachinePath file, Instant time) {
    change(
        file,
        "cannot be given another time",
        path -> Files.setLastModifiedTime(path, FileTime.from(time)));
  }

  @Override
  public void delete(MachinePath file) {
    change(file, "cannot be deleted", PlainFiles::delete);
  }

  @Override
  public boolean move(MachinePath from, MachinePath to) {
    return on(
        from,
        "cannot be moved to " + to,
        path -> {
          try {
            Files.move(path, path(to), StandardCopyOption.ATOMIC_MOVE);
            return true;
          } catch (NoSuchFileException gone) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
              throw gone;
            }
            return false;
          }
        });
  }

  @Override
  public void deleteTree(MachinePath folder) {
    change(folder, "cannot be deleted", FolderDeletion::deleteTree);
  }

  @Override
  public void copy(MachinePath source, MachinePath target) {
    try {
      FileCopy.copy(path(source), path(target));
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.INPUT,
          "the input %s cannot be copied to %s".formatted(source, target),
          failure);
    }
  }

  @Override
  public void unpack(InputStream tar, MachinePath target, String name) {
    try {
      Unpacking.unpack(tar, path(target));
    } catch (IOException | NumberFormatException | InvalidPathException failure) {
      throw new HostException(
          HostException.Code.INPUT,
          "the uploaded files of %s cannot be unpacked to %s: %s"
              .formatted(name, target, failure.getMessage()),
          failure);
    }
  }

  @Override
  public void give(MachinePath path, int uid, int gid) {
    try {
      FolderOwner.give(path(path), uid, gid);
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.DENIED,
          "%s cannot be given to the user %d".formatted(path, uid),
          failure);
    }
  }

  @Override
  public FolderWatch watch(MachinePath folder, Consumer<String> changed, Runnable overflow) {
    return on(
        folder, "cannot be watched", path -> new LocalWatch(path, changed, overflow, watches));
  }
}
