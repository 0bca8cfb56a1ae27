package dev.berth.hosts.access.local;

import dev.berth.hosts.access.FileFacts;
import dev.berth.hosts.access.FolderQuery;
import dev.berth.hosts.access.FolderView;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A folder of this machine, looked at where and when somebody asks: most jobs are told by one or
 * two of their files, and to read the others would cost more than to ask again.
 */
final class LocalView implements FolderView {
  private static final LocalProcesses PROCESSES = new LocalProcesses();

  private final PlainFiles plain;
  private final FolderQuery query;

  /** The claim as it was last read; null before that, and where there is none. */
  private @Nullable String claim;

  LocalView(PlainFiles plain, FolderQuery query) {
    this.plain = plain;
    this.query = query;
  }

  @Override
  public Optional<String> text(MachinePath file) {
    try {
      Optional<String> text =
          plain
              .read(LocalFiles.path(file), 0, query.mostBytes())
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
      if (file.equals(query.claim())) {
        claim = text.orElse(null);
      }
      return text;
    } catch (IOException failure) {
      throw LocalFailures.of(file + " is not readable", failure);
    }
  }

  @Override
  public Optional<FileFacts> facts(MachinePath file) {
    try {
      return PlainFiles.find(LocalFiles.path(file)).map(LocalFiles::facts);
    } catch (IOException failure) {
      throw LocalFailures.of(file + " is not readable", failure);
    }
  }

  @Override
  public boolean claimIsAlive() {
    MachinePath file = query.claim();
    Optional<String> known =
        claim == null && file != null ? text(file) : Optional.ofNullable(claim);
    return known.flatMap(ProcessIdentity::parse).filter(PROCESSES::isAlive).isPresent();
  }

  @Override
  public boolean exists() {
    return Files.isDirectory(LocalFiles.path(query.folder()));
  }
}
