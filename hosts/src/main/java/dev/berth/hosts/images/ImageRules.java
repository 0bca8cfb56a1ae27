package dev.berth.hosts.images;

import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.ImageFacts;
import dev.berth.hosts.jobdir.ShellText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a job does in an image, from what the user wrote and what the image says. */
public final class ImageRules {
  private ImageRules() {}

  /**
   * The words of the first process, where no shell of ours stands before it; empty where there are
   * none. What the user wrote comes first: an entrypoint with the commands as its arguments, or
   * nothing and then the image's own.
   */
  public static List<String> ownWords(ImageFacts image) {
    List<String> words = new ArrayList<>(image.entrypoint());
    words.addAll(image.command());
    return words;
  }

  /**
   * The commands for a shell; empty where neither the user nor the image says what to run.
   *
   * @param entrypoint a shell line in front of the commands, which then are its arguments
   */
  public static List<String> commands(
      @Nullable String entrypoint, List<String> commands, ImageFacts image) {
    if (entrypoint != null) {
      String arguments =
          commands.stream().map(word -> " " + ShellText.quote(word)).collect(Collectors.joining());
      return List.of(entrypoint + arguments);
    }
    if (!commands.isEmpty()) {
      return commands;
    }
    List<String> words = ownWords(image);
    return words.isEmpty()
        ? List.of()
        : List.of("exec " + words.stream().map(ShellText::quote).collect(Collectors.joining(" ")));
  }

  /** Who runs the job: whom the user named, or else the image's user, or else root. */
  public static String user(@Nullable String asked, ImageFacts image) {
    if (asked != null && !asked.isBlank()) {
      return asked;
    }
    return image.user().isBlank() ? "root" : image.user();
  }

  /** Root by its number, because an image need not know it by name. */
  public static String forEngine(String user) {
    return user.equals("root") ? "0" : user;
  }

  /** Whether a user is root by any of its names. */
  public static boolean isRoot(String user) {
    String name = user.contains(":") ? user.substring(0, user.indexOf(':')) : user;
    return name.equals("root") || name.equals("0");
  }

  /** Where the job starts: where the user said, or else where the image says. */
  public static String directory(@Nullable String asked, String home, ImageFacts image) {
    if (asked == null) {
      return image.workingDirectory().isEmpty() ? "/" : image.workingDirectory();
    }
    if (asked.equals("~")) {
      return home;
    }
    if (asked.startsWith("~/")) {
      return home + asked.substring(1);
    }
    return asked.startsWith("/") ? asked : directory(null, home, image) + "/" + asked;
  }

  /** Why an image cannot run on a machine; empty where it can, or where nobody says. */
  public static Optional<String> mismatch(String name, ImageFacts image, Engine.Version engine) {
    String wanted = normal(image.architecture());
    String has = normal(engine.architecture());
    boolean otherSystem =
        !image.os().isEmpty() && !engine.os().isEmpty() && !image.os().equals(engine.os());
    if (!otherSystem && (wanted.isEmpty() || has.isEmpty() || wanted.equals(has))) {
      return Optional.empty();
    }
    return Optional.of(
        "the image %s is for %s/%s, and the engine's machine is %s/%s; name an image for it, or ask"
                .formatted(name, image.os(), wanted, engine.os(), has)
            + " for another machine with 'resources: {cpu: \"...\"}'");
  }

  /** Engines do not agree how to spell architectures. */
  private static String normal(String architecture) {
    return switch (architecture.toLowerCase(Locale.ROOT)) {
      case "x86_64", "x86-64" -> "amd64";
      case "aarch64" -> "arm64";
      case String other -> other;
    };
  }
}
