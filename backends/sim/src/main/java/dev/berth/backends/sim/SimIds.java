package dev.berth.backends.sim;

import dev.berth.model.ResourceType;

/** How the simulated cloud names what it makes: a word for the kind, and a number. */
final class SimIds {
  private SimIds() {}

  static String of(ResourceType type, long number) {
    String prefix =
        switch (type) {
          case JOB -> "job";
          case INSTANCE -> "i";
          case GROUP -> "group";
          case VOLUME -> "vol";
          case DISK -> "disk";
          case ADDRESS -> "addr";
          case KEY -> "key";
          case PLACEMENT_GROUP -> "pg";
          case GATEWAY -> "gw";
          case LOAD_BALANCER -> "lb";
        };
    return "%s-%06d".formatted(prefix, number);
  }

  static long number(String id) {
    return Long.parseLong(id.substring(id.lastIndexOf('-') + 1));
  }
}
