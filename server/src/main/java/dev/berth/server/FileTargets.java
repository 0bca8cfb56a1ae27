package dev.berth.server;

import dev.berth.model.api.FieldProblem;
import dev.berth.model.config.FileMapping;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Refuses files that would be put where their path does not say that they are. */
final class FileTargets {
  private static final String HOME = "~/";

  private FileTargets() {}

  static List<FieldProblem> refusals(List<FileMapping> files) {
    List<FieldProblem> found = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      String field = "files[" + i + "].path";
      refusal(files.get(i).path()).ifPresent(why -> found.add(new FieldProblem(field, why)));
    }
    return found;
  }

  private static Optional<String> refusal(String path) {
    boolean ofHome = path.startsWith(HOME);
    try {
      Path target = Path.of(ofHome ? path.substring(HOME.length()) : path);
      return (ofHome || !target.isAbsolute()) && target.normalize().startsWith("..")
          ? Optional.of(
              "'"
                  + path
                  + "' leads out of the job's "
                  + (ofHome ? "home" : "working directory")
                  + "; write a path without '..', or an absolute one")
          : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.of("this is not a valid path: " + e.getReason());
    }
  }
}
