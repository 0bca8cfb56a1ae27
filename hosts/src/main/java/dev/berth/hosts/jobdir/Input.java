package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import java.nio.file.Path;

/** What a job finds in its place when it starts. */
public sealed interface Input permits InputFile, InputArchive {
  /** Where the job finds it: absolute, or relative to the job's working directory. */
  Path target();

  /** Says no to a target that is none. */
  static void requireTarget(Path target) {
    if (target.toString().isEmpty()) {
      throw new HostException(HostException.Code.INVALID, "an input file needs a target path");
    }
    if (!target.isAbsolute() && target.normalize().startsWith("..")) {
      throw new HostException(
          HostException.Code.INVALID,
          "the target " + target + " of an input file leads out of the working directory");
    }
  }
}
