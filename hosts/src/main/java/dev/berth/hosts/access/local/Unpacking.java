package dev.berth.hosts.access.local;

import dev.berth.hosts.access.TarEntry;
import dev.berth.hosts.access.TarReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Unpacks an archive's one item to where a job expects it. Nothing is written outside of the
 * target, whatever the archive says: links are made last, and must lead to the inside.
 */
final class Unpacking {
  private static final String CONTENT = "content";

  private final Path target;
  private final List<TarEntry> folders = new ArrayList<>();
  private final List<TarEntry> links = new ArrayList<>();

  private Unpacking(Path target) {
    this.target = target;
  }

  /** Unpacks an archive to a path. May be repeated. */
  static void unpack(InputStream tar, Path to) throws IOException {
    Path target = to.normalize();
    Path parent = target.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    new Unpacking(target).unpack(new TarReader(new BufferedInputStream(tar, 64 * 1024)));
  }

  private void unpack(TarReader tar) throws IOException {
    for (Optional<TarEntry> next = tar.next(); next.isPresent(); next = tar.next()) {
      TarEntry entry = next.get();
      Path path = path(entry);
      switch (entry.kind()) {
        case FOLDER -> {
          // A folder that was there before, such as a home, keeps its mode.
          if (makeFolder(path)) {
            folders.add(entry);
          }
        }
        case FILE -> write(entry, path, tar);
        case LINK -> links.add(entry);
      }
    }
    for (TarEntry link : links) {
      makeLink(link, path(link));
    }
    // Last, because a folder may not be writable, and the deepest first for its time.
    for (TarEntry folder : folders.reversed()) {
      finish(folder, path(folder));
    }
  }

  /** Where an item goes. */
  private Path path(TarEntry entry) throws IOException {
    String name = entry.name().replaceFirst("/+$", "");
    if (name.equals(CONTENT)) {
      return target;
    }
    if (name.startsWith(CONTENT + "/")) {
      Path path = target.resolve(name.substring(CONTENT.length() + 1)).normalize();
      if (path.startsWith(target) && !path.equals(target)) {
        return path;
      }
    }
    throw new IOException("the archive holds '" + entry.name() + "', which is not inside of it");
  }

  private void write(TarEntry entry, Path path, TarReader tar) throws IOException {
    requireRealFolders(path);
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(path + " is a folder, and should become a file");
    }
    // A file that is there may be a link, or somebody may have it open.
    Files.deleteIfExists(path);
    try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
      tar.copyTo(out);
    }
    finish(entry, path);
  }

  private boolean makeFolder(Path path) throws IOException {
    requireRealFolders(path);
    // The target itself may be a link of the machine's, such as /tmp is on some.
    boolean there =
        path.equals(target)
            ? Files.isDirectory(path)
            : Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    if (!there) {
      Files.createDirectory(path);
    }
    return !there;
  }

  /** Between the target and what is written into it no link may lead elsewhere. */
  private void requireRealFolders(Path path) throws IOException {
    for (Path folder = path.getParent();
        folder != null && folder.startsWith(target) && !folder.equals(target);
        folder = folder.getParent()) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(folder + " is no folder, and something should be put into it");
      }
    }
  }

  private void makeLink(TarEntry entry, Path path) throws IOException {
    Path to = Path.of(entry.link());
    Path parent = path.getParent();
    if (path.equals(target)
        || parent == null
        || to.isAbsolute()
        || !parent.resolve(to).normalize().startsWith(target)) {
      throw new IOException(
          "the link '%s' leads to '%s', which is outside".formatted(entry.name(), entry.link()));
    }
    requireRealFolders(path);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(path);
    }
    Files.createSymbolicLink(path, to);
  }

  private static void finish(TarEntry entry, Path path) throws IOException {
    StringBuilder words = new StringBuilder();
    for (int bit = 8; bit >= 0; bit--) {
      words.append((entry.mode() >> bit & 1) == 0 ? '-' : "xwr".charAt(bit % 3));
    }
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(words.toString());
    Files.setPosixFilePermissions(path, permissions);
    Files.setLastModifiedTime(path, FileTime.from(entry.modified()));
  }
}
