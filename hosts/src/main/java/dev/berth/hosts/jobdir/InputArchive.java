package dev.berth.hosts.jobdir;

import dev.berth.hosts.access.MachinePath;
import java.io.InputStream;
import java.util.Objects;

/**
 * A file or folder that comes as a tar stream and is unpacked into place before the job starts.
 *
 * @param target where the job finds it: absolute, or relative to the job's working directory and
 *     inside of it
 * @param name what it is called in messages
 */
public record InputArchive(MachinePath target, String name, Source source) implements Input {
  public InputArchive {
    Objects.requireNonNull(source);
    Input.requireTarget(target);
  }

  /** Opens the stream anew each time. What it throws is passed on as it is. */
  @FunctionalInterface
  public interface Source {
    InputStream open();
  }
}
