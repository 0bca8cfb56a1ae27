package dev.berth.model.config;

/** A router that runs inside a replica group. */
public record RouterSpec(Type type) {
  /**
   * {@code SMG} is the Shepherd Model Gateway, which files may also call by its old name sglang.
   */
  public enum Type {
    SMG,
    DYNAMO
  }
}
