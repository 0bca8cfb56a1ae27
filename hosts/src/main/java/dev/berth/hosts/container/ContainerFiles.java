package dev.berth.hosts.container;

import dev.berth.hosts.HostException;
import dev.berth.hosts.docker.Accounts;
import dev.berth.hosts.jobdir.TarEntry;
import dev.berth.hosts.jobdir.TarReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of a job directory that change hands between us and a container's user. */
final class ContainerFiles {
  private ContainerFiles() {}

  /** Gives a folder or file, with all in it, to a user of the image. */
  static void give(Path path, Accounts.Account account) {
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              chown(file, account);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              chown(folder, account);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.INVALID,
          "the job's files cannot be given to the user %d of its image: the server must run as root for images with a user of their own, or the job as root ('user: root')"
              .formatted(account.uid()),
          failure);
    }
  }

  private static void chown(Path path, Accounts.Account account) throws IOException {
    Files.setAttribute(path, "unix:uid", account.uid(), LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(path, "unix:gid", account.gid(), LinkOption.NOFOLLOW_LINKS);
  }

  /** Whose a file is, as {@code uid:gid}. */
  static String owner(Path path) {
    try {
      return Files.getAttribute(path, "unix:uid") + ":" + Files.getAttribute(path, "unix:gid");
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the owner of " + path + " cannot be read", failure);
    }
  }

  /** The text of the one file in a tar; empty where there is none. */
  static String only(Optional<byte[]> tar) {
    if (tar.isEmpty()) {
      return "";
    }
    try {
      TarReader reader = new TarReader(new ByteArrayInputStream(tar.get()));
      for (Optional<TarEntry> next = reader.next(); next.isPresent(); next = reader.next()) {
        if (next.get().kind() == TarEntry.Kind.FILE) {
          ByteArrayOutputStream content = new ByteArrayOutputStream();
          reader.copyTo(content);
          return content.toString(StandardCharsets.UTF_8);
        }
      }
      return "";
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "a file of an image cannot be read", failure);
    }
  }
}
