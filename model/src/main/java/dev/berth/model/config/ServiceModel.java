package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** A language model that a service serves. */
public record ServiceModel(
    String type,
    String name,
    Format format,
    @Nullable String prefix,
    @Nullable String chatTemplate,
    @Nullable String eosToken) {
  public enum Format {
    OPENAI,
    TGI
  }
}
