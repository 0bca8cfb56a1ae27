package dev.berth.client.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is left out below a folder: what the ignore files there and above say, the nearest last. Of
 * several files in one folder the later in {@link #FILES} has the last word.
 */
final class IgnoreRules {
  static final List<String> FILES = List.of(".gitignore", ".dstackignore", ".berthignore");
  private static final String GIT = ".git";

  private final @Nullable IgnoreRules above;
  private final Path folder;
  private final List<IgnorePattern> patterns;

  private IgnoreRules(@Nullable IgnoreRules above, Path folder, List<IgnorePattern> patterns) {
    this.above = above;
    this.folder = folder;
    this.patterns = patterns;
  }

  /** The rules in a folder that is packed, with those of the git repository around it. */
  static IgnoreRules at(Path folder) throws IOException {
    Path root = folder;
    for (Path up = folder; up != null; up = up.getParent()) {
      if (Files.exists(up.resolve(GIT))) {
        root = up;
        break;
      }
    }
    IgnoreRules rules = new IgnoreRules(null, root, read(root));
    for (Path part : root.relativize(folder)) {
      if (!part.toString().isEmpty()) {
        rules = rules.below(rules.folder.resolve(part));
      }
    }
    return rules;
  }

  IgnoreRules below(Path inner) throws IOException {
    List<IgnorePattern> own = read(inner);
    return new IgnoreRules(this, inner, own);
  }

  private static List<IgnorePattern> read(Path folder) throws IOException {
    List<IgnorePattern> patterns = new ArrayList<>();
    for (String name : FILES) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        // Names are bytes to git; what is not UTF-8 must not stop us.
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        text.lines().forEach(line -> IgnorePattern.parse(line).ifPresent(patterns::add));
      }
    }
    return patterns;
  }

  /** Whether a file or folder is left out; whoever asks does not look into folders that are. */
  boolean ignores(Path path, boolean isFolder) {
    if (path.endsWith(GIT)) {
      return true;
    }
    for (IgnoreRules rules = this; rules != null; rules = rules.above) {
      String name = rules.folder.relativize(path).toString();
      for (IgnorePattern pattern : rules.patterns.reversed()) {
        if (pattern.matches(name, isFolder)) {
          return !pattern.negated();
        }
      }
    }
    return false;
  }
}
