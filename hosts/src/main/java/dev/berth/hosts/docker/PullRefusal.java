package dev.berth.hosts.docker;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an engine's words about a failed pull mean, and what to do about it. */
public final class PullRefusal {
  private static final List<String> UNREACHABLE =
      List.of(
          "connection refused",
          "no such host",
          "no route to host",
          "network is unreachable",
          "i/o timeout",
          "tls handshake timeout",
          "client.timeout exceeded",
          "request canceled while waiting",
          "server misbehaving");
  private static final List<String> REFUSED =
      List.of(
          "unauthorized",
          "authentication required",
          "access denied",
          "access to the resource is denied",
          "denied:",
          "invalid username/password",
          "no basic auth");
  private static final List<String> UNKNOWN =
      List.of("manifest unknown", "name unknown", "not found", "name_unknown", "no such image");
  private static final List<String> CUT =
      List.of("unexpected eof", "connection reset", "broken pipe", ": eof", "short read");
  private static final List<String> OTHER_MACHINE =
      List.of("no matching manifest", "no image found in manifest list", "choosing image instance");
  private static final List<String> FULL = List.of("no space left");

  private PullRefusal() {}

  /**
   * One sentence for the user, in one line.
   *
   * @param words the engine's
   * @param username who we were at the registry; null for nobody
   */
  public static String sentence(String image, String words, @Nullable String username) {
    String line = words.strip().replaceAll("\\s+", " ");
    return "the image %s cannot be pulled: %s (%s)"
        .formatted(image, advice(image, line, username), line);
  }

  private static String advice(String image, String words, @Nullable String username) {
    String text = words.toLowerCase(Locale.ROOT);
    String registry = ImageName.parse(image).registry();
    String who = registry.isEmpty() ? "the registry" : "the registry " + registry;
    // First what a registry says by itself: the words of the others are also in longer sentences.
    if (mentions(text, REFUSED)) {
      return username == null
          ? "it does not exist or is private; if it is private, add credentials in 'registry_auth'"
          : who
              + " does not accept 'registry_auth' of '"
              + username
              + "'; check the user name and password, and that the user may read the image";
    }
    if (mentions(text, OTHER_MACHINE)) {
      return "it is not available for the architecture of the engine's machine; choose another"
          + " image or another machine";
    }
    if (mentions(text, UNKNOWN)) {
      return who + " has no such image; check its name and tag";
    }
    if (mentions(text, FULL)) {
      return "the disk of the engine's machine is full; remove unused images";
    }
    if (mentions(text, UNREACHABLE)) {
      return who
          + " cannot be reached from the engine's machine; check the name, and that it is up";
    }
    if (mentions(text, CUT)) {
      return who + " closed the connection; run it again";
    }
    return "see the engine's message; fix the cause and run it again";
  }

  private static boolean mentions(String text, List<String> words) {
    return words.stream().anyMatch(text::contains);
  }
}
