package dev.berth.planning.policy;

import dev.berth.model.Wildcards;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What an image is called, in all the ways to write it, so that a pattern cannot be dodged by
 * another one.
 *
 * @param registry where it comes from
 * @param names what it is called there, with and without what may be left out
 */
record ImageName(String registry, Set<String> names) {
  private static final String HUB = "docker.io";
  private static final Set<String> OTHER_HUBS =
      Set.of("index.docker.io", "registry-1.docker.io", "registry.hub.docker.com");
  private static final String OFFICIAL = "library/";
  private static final String TAG = ":latest";

  /** The port that is meant where none is written. */
  private static final String PORT = ":443";

  static ImageName of(String image) {
    String written = image.strip().toLowerCase(Locale.ROOT);
    int slash = written.indexOf('/');
    boolean named = slash >= 0 && namesRegistry(written.substring(0, slash));
    String registry = named ? usual(written.substring(0, slash)) : HUB;
    String name = named ? written.substring(slash + 1) : written;
    Set<String> names = new LinkedHashSet<>();
    addTagged(names, name);
    if (registry.equals(HUB)) {
      if (name.startsWith(OFFICIAL)) {
        addTagged(names, name.substring(OFFICIAL.length()));
      } else if (!name.contains("/")) {
        addTagged(names, OFFICIAL + name);
      }
    }
    return new ImageName(registry, names);
  }

  /** Whether one of some patterns means this image. */
  boolean isMeantBy(List<String> patterns) {
    return patterns.stream().anyMatch(this::isMeantBy);
  }

  /**
   * Whether a pattern means this image. One that names a registry is held against registry and name
   * apart, so that its stars do not reach from one into the other; one that begins with a star is
   * about all registries, and any other one is about Docker Hub, as such an image would be.
   */
  private boolean isMeantBy(String pattern) {
    String wanted = pattern.strip().toLowerCase(Locale.ROOT);
    int slash = wanted.indexOf('/');
    if (slash >= 0 && namesRegistry(wanted.substring(0, slash))) {
      return Wildcards.matches(usual(wanted.substring(0, slash)), registry)
          && anyName(wanted.substring(slash + 1), "");
    }
    return (wanted.startsWith("*") && anyName(wanted, registry + "/"))
        || (registry.equals(HUB) && anyName(wanted, ""));
  }

  private boolean anyName(String pattern, String before) {
    return names.stream().anyMatch(name -> Wildcards.matches(pattern, before + name));
  }

  private static boolean namesRegistry(String first) {
    return first.contains(".") || first.contains(":") || first.equals("localhost");
  }

  private static String usual(String registry) {
    String host =
        registry.endsWith(PORT)
            ? registry.substring(0, registry.length() - PORT.length())
            : registry;
    return OTHER_HUBS.contains(host) ? HUB : host;
  }

  /** With the tag that is meant where none is written, and without it where it is that one. */
  private static void addTagged(Set<String> names, String name) {
    names.add(name);
    boolean tagged = name.indexOf(':', name.lastIndexOf('/') + 1) >= 0;
    if (name.endsWith(TAG)) {
      names.add(name.substring(0, name.length() - TAG.length()));
    } else if (!tagged) {
      names.add(name + TAG);
    }
    int digest = name.indexOf('@');
    if (digest > 0) {
      // A digest decides; the name and tag before it are what patterns are written for.
      addTagged(names, name.substring(0, digest));
    }
  }
}
