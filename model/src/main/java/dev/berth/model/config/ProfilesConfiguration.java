package dev.berth.model.config;

import java.util.List;

/** The profiles of a folder or of a user. */
public record ProfilesConfiguration(List<Profile> profiles) implements Configuration {
  public ProfilesConfiguration {
    profiles = List.copyOf(profiles);
  }
}
