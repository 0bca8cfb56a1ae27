package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.MachinePath;

/** What a job finds in its place when it starts. */
public sealed interface Input permits InputFile, InputArchive {
  /** Where the job finds it: absolute, or relative to the job's working directory. */
  MachinePath target();

  /** Says no to a target that is none. */
  static void requireTarget(MachinePath target) {
    if (target.text().isEmpty()) {
      throw new HostException(HostException.Code.INVALID, "an input file needs a target path");
    }
    if (!target.isAbsolute() && target.normalized().startsWith(MachinePath.of(".."))) {
      throw new HostException(
          HostException.Code.INVALID,
          "the target " + target + " of an input file leads out of the working directory");
    }
  }
}
