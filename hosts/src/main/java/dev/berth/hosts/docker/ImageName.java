package dev.berth.hosts.docker;

import java.util.regex.Pattern;

/**
 * An image as people write it, in parts.
 *
 * @param repository with its registry, if it names one
 * @param reference a tag, or a digest with its {@code sha256:}
 */
public record ImageName(String repository, String reference) {
  private static final String LATEST = "latest";
  private static final String HUB = "docker.io/";

  private static final Pattern WRITTEN =
      Pattern.compile(
          "(?:(?:[A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9a-fA-F:]+])(?::[0-9]+)?/)?"
              + "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*"
              + "(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?"
              + "(?:@[A-Za-z0-9+._-]+:[0-9a-fA-F]{32,})?");

  /** Whether engines take it for the name of an image. */
  public static boolean isWrittenWell(String text) {
    return text.length() < 1_000 && WRITTEN.matcher(text).matches();
  }

  /** Without a tag it is {@code latest}, as everywhere. */
  public static ImageName parse(String text) {
    int at = text.indexOf('@');
    if (at > 0) {
      return new ImageName(withoutTag(text.substring(0, at)), text.substring(at + 1));
    }
    String repository = withoutTag(text);
    return repository.length() == text.length()
        ? new ImageName(text, LATEST)
        : new ImageName(repository, text.substring(repository.length() + 1));
  }

  /** A colon before the last slash belongs to the port of a registry. */
  private static String withoutTag(String text) {
    int colon = text.lastIndexOf(':');
    return colon > text.lastIndexOf('/') ? text.substring(0, colon) : text;
  }

  /** The same for each way in which an image of Docker's own registry is written. */
  public String inFull() {
    String name = repository.startsWith(HUB) ? repository.substring(HUB.length()) : repository;
    String bare = name.startsWith("library/") ? name.substring("library/".length()) : name;
    return bare + (reference.startsWith("sha256:") ? "@" : ":") + reference;
  }

  /** The registry that is asked for it; empty for the engine's usual one. */
  public String registry() {
    int slash = repository.indexOf('/');
    String first = slash < 0 ? "" : repository.substring(0, slash);
    boolean isHost = first.contains(".") || first.contains(":") || first.equals("localhost");
    return isHost ? first : "";
  }

  /** Whether what it names changes, so that a look at the registry is needed each time. */
  public boolean moves() {
    return reference.equals(LATEST);
  }
}
