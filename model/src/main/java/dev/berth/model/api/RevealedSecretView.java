package dev.berth.model.api;

/** A secret with its value, for who asked to see it. */
public record RevealedSecretView(String project, String name, String value) {
  /** Without the value. */
  @Override
  public String toString() {
    return "RevealedSecretView[" + project + "/" + name + "]";
  }
}
