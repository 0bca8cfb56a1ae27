package dev.berth.model;

import org.jspecify.annotations.Nullable;

/**
 * What a backend is called in the whole installation: {@code name@project}, and the name alone for
 * one that is there by itself, which every project may use. People see the name.
 */
public final class BackendKey {
  private static final char SEPARATOR = '@';

  private BackendKey() {}

  public static String of(String project, String name) {
    return name + SEPARATOR + project;
  }

  /** The name that it has in its project. */
  public static String name(String key) {
    int at = key.indexOf(SEPARATOR);
    return at < 0 ? key : key.substring(0, at);
  }

  /** The same, where there may be no backend yet. */
  public static @Nullable String nameOrNull(@Nullable String key) {
    return key == null ? null : name(key);
  }

  /** Whose it is; null for one that is everybody's. */
  public static @Nullable String project(String key) {
    int at = key.indexOf(SEPARATOR);
    return at < 0 ? null : key.substring(at + 1);
  }

  /** Whether a project may use it. */
  public static boolean isFor(String project, String key) {
    String owner = project(key);
    return owner == null || owner.equals(project);
  }
}
