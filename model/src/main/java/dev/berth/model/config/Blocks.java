package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** How many parts a machine is split into. */
public record Blocks(@Nullable Integer count) {
  /** As many blocks as the machine allows. */
  public static final Blocks AUTO = new Blocks(null);

  public static final Blocks WHOLE = new Blocks(1);
}
