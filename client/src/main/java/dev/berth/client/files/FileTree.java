package dev.berth.client.files;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file or folder as it goes into an archive: in the order of names, without owners, without what
 * ignore files leave out. The same files give the same bytes.
 */
final class FileTree {
  /** What the one item of an archive is called. */
  private static final String CONTENT = "content";

  private final Path root;
  private final TarWriter tar;

  private FileTree(Path root, TarWriter tar) {
    this.root = root;
    this.tar = tar;
  }

  /** Writes a file or folder; where it is a link, what the link leads to. */
  static void write(Path source, TarWriter tar) {
    try {
      Path real = source.toRealPath();
      FileTree tree = new FileTree(real, tar);
      if (Files.isDirectory(real)) {
        tree.folder(real, CONTENT, IgnoreRules.at(real));
      } else {
        tree.item(real, CONTENT);
      }
      tar.finish();
    } catch (IOException e) {
      throw new PackingException(source + " cannot be packed: " + e.getMessage(), e);
    }
  }

  /** Writes what differs in a clone: {@code removed}, a path a line, and {@code files}. */
  static void writeChanges(GitClone clone, TarWriter tar) {
    try {
      FileTree tree = new FileTree(clone.root(), tar);
      byte[] removed =
          clone.removed().stream()
              .map(path -> path + "\n")
              .collect(Collectors.joining())
              .getBytes(StandardCharsets.UTF_8);
      tar.folder(CONTENT, 0700, Instant.EPOCH);
      tar.file(
          CONTENT + "/removed",
          0600,
          removed.length,
          Instant.EPOCH,
          new ByteArrayInputStream(removed));
      String files = CONTENT + "/files";
      tar.folder(files, 0700, Instant.EPOCH);
      Set<Path> made = new HashSet<>();
      for (String path : clone.changed()) {
        tree.folders(clone.root().resolve(path).getParent(), files, made);
        tree.item(clone.root().resolve(path), files + "/" + path);
      }
      tar.finish();
    } catch (IOException e) {
      throw new PackingException(clone.root() + " cannot be packed: " + e.getMessage(), e);
    }
  }

  /** Writes the folders from the root to this one that are not written yet. */
  private void folders(@Nullable Path folder, String name, Set<Path> made) throws IOException {
    if (folder == null || folder.equals(root) || !made.add(folder)) {
      return;
    }
    folders(folder.getParent(), name, made);
    // Times of folders change with every file in them, and git does not know them.
    tar.folder(name + "/" + root.relativize(folder), mode(folder), Instant.EPOCH);
  }

  private void folder(Path folder, String name, IgnoreRules rules) throws IOException {
    tar.folder(name, mode(folder), Files.getLastModifiedTime(folder).toInstant());
    List<Path> inside;
    try (Stream<Path> paths = Files.list(folder)) {
      inside = paths.sorted(Comparator.comparing(path -> path.getFileName().toString())).toList();
    }
    for (Path path : inside) {
      boolean isFolder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
      if (rules.ignores(path, isFolder)) {
        continue;
      }
      String inner = name + "/" + path.getFileName();
      if (isFolder) {
        folder(path, inner, rules.below(path));
      } else {
        item(path, inner);
      }
    }
  }

  private void item(Path path, String name) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (attributes.isSymbolicLink()) {
      link(path, name);
    } else if (attributes.isRegularFile()) {
      try (InputStream content = Files.newInputStream(path)) {
        tar.file(
            name,
            mode(path),
            attributes.size(),
            attributes.lastModifiedTime().toInstant(),
            content);
      } catch (IOException e) {
        throw new PackingException(path + " cannot be packed: " + e.getMessage(), e);
      }
    } else {
      throw new PackingException(
          path
              + " is not a file, folder or link and cannot be packed; exclude it with a"
              + " .berthignore file",
          null);
    }
  }

  private void link(Path path, String name) throws IOException {
    Path to = Files.readSymbolicLink(path);
    Path parent = path.getParent();
    if (to.isAbsolute() || parent == null || !parent.resolve(to).normalize().startsWith(root)) {
      throw new PackingException(
          "the link "
              + path
              + " leads to "
              + to
              + ", which is not packed with it; make it relative and inside of "
              + root
              + ", or leave it out with a .berthignore file",
          null);
    }
    tar.link(name, to.toString());
  }

  private static int mode(Path path) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return Files.isDirectory(path) ? 0755 : 0644;
    }
    PosixFileAttributes attributes = view.readAttributes();
    Set<PosixFilePermission> permissions = attributes.permissions();
    int mode = 0;
    for (PosixFilePermission permission : PosixFilePermission.values()) {
      mode = mode << 1 | (permissions.contains(permission) ? 1 : 0);
    }
    return mode;
  }
}
