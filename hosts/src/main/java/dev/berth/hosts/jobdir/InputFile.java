package dev.berth.hosts.jobdir;

import dev.berth.hosts.access.MachinePath;
import java.util.Objects;

/**
 * A file or folder of the machine that is copied into place before the job starts.
 *
 * @param target where the job finds it: absolute, or relative to the job's working directory and
 *     inside of it
 * @param source what is copied; folders with all they contain, links inside of them as links
 */
public record InputFile(MachinePath target, MachinePath source) implements Input {
  public InputFile {
    Objects.requireNonNull(source);
    Input.requireTarget(target);
  }
}
