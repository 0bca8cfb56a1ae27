package dev.berth.model.config;

/** Credentials for a private image. */
public record RegistryAuth(String username, String password) {
  /** Keeps the password out of logs and error messages. */
  @Override
  public String toString() {
    return "RegistryAuth[username=" + username + ", password=***]";
  }
}
