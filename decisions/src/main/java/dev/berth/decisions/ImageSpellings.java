package dev.berth.decisions;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** The ways to write the name of one image, so that a pattern cannot be dodged by another one. */
final class ImageSpellings {
  private static final String HUB = "docker.io/";
  private static final String OFFICIAL = "library/";
  private static final String TAG = ":latest";

  private ImageSpellings() {}

  static Set<String> of(String image) {
    String name = image.strip().toLowerCase(Locale.ROOT);
    String rest = withoutHub(name);
    Set<String> spellings = new LinkedHashSet<>();
    boolean onHub = !rest.equals(name) || !namesRegistry(name);
    if (!onHub) {
      addTagged(spellings, name);
      return spellings;
    }
    String repository = rest.startsWith(OFFICIAL) ? rest.substring(OFFICIAL.length()) : rest;
    if (repository.contains("/")) {
      addTagged(spellings, rest);
      addTagged(spellings, HUB + rest);
    } else {
      addTagged(spellings, repository);
      addTagged(spellings, OFFICIAL + repository);
      addTagged(spellings, HUB + repository);
      addTagged(spellings, HUB + OFFICIAL + repository);
    }
    return spellings;
  }

  private static String withoutHub(String name) {
    for (String host : new String[] {HUB, "index.docker.io/", "registry-1.docker.io/"}) {
      if (name.startsWith(host)) {
        return name.substring(host.length());
      }
    }
    return name;
  }

  private static boolean namesRegistry(String name) {
    int slash = name.indexOf('/');
    if (slash < 0) {
      return false;
    }
    String first = name.substring(0, slash);
    return first.contains(".") || first.contains(":") || first.equals("localhost");
  }

  /** With the tag that is meant where none is written, and without it where it is that one. */
  private static void addTagged(Set<String> spellings, String name) {
    spellings.add(name);
    boolean tagged = name.indexOf(':', name.lastIndexOf('/') + 1) >= 0;
    if (name.endsWith(TAG)) {
      spellings.add(name.substring(0, name.length() - TAG.length()));
    } else if (!tagged) {
      spellings.add(name + TAG);
    }
    int digest = name.indexOf('@');
    if (digest > 0) {
      // A digest decides; the name and tag before it are what patterns are written for.
      addTagged(spellings, name.substring(0, digest));
    }
  }
}
