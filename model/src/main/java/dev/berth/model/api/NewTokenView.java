package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * A token that was made.
 *
 * @param secret what to send as the bearer; shown once, null where the request was repeated
 */
public record NewTokenView(TokenView token, @Nullable String secret) {
  /** Without the secret. */
  @Override
  public String toString() {
    return "NewTokenView[" + token + "]";
  }
}
