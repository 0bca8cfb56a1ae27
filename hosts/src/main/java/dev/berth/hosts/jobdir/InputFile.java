package dev.berth.hosts.jobdir;

import java.nio.file.Path;
import java.util.Objects;

/**
 * A file or folder that is copied into place before the job starts.
 *
 * @param target where the job finds it: absolute, or relative to the job's working directory and
 *     inside of it
 * @param source what is copied; folders with all they contain, links inside of them as links
 */
public record InputFile(Path target, Path source) implements Input {
  public InputFile {
    Objects.requireNonNull(source);
    Input.requireTarget(target);
  }
}
