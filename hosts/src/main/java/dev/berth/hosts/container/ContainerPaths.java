package dev.berth.hosts.container;

/** Where a container sees what belongs to its job. */
final class ContainerPaths {
  static final String JOB = "/berth/job";
  static final String RUNNER = "/berth/runner";
  static final String EVENT = "/berth/event";

  /** Every engine gives it, and no job without it can be run by commands. */
  static final String SHELL = "/bin/sh";

  /** Before the ids of attempts, so that a person sees whose containers these are. */
  private static final String PREFIX = "berth-";

  private ContainerPaths() {}

  static String name(String attemptId) {
    return PREFIX + attemptId;
  }

  /** The attempt of a container by its name; empty where it is none of ours. */
  static String attempt(String name) {
    return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
  }
}
