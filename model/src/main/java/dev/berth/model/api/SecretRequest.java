package dev.berth.model.api;

/** A secret to keep. */
public record SecretRequest(String name, String value) {
  /** Without the value. */
  @Override
  public String toString() {
    return "SecretRequest[name=" + name + "]";
  }
}
