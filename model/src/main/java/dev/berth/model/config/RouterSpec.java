package dev.berth.model.config;

/** A router that runs inside a replica group. */
public record RouterSpec(Type type) {
  public enum Type {
    SGLANG,
    DYNAMO
  }
}
