package dev.berth.model.config;

/** A configuration that can be run. */
public sealed interface RunConfiguration extends Configuration
    permits TaskConfiguration, ServiceConfiguration, DevEnvironmentConfiguration {
  RunSettings run();

  ProfileParams profile();

  /** The same, placed in another way. */
  RunConfiguration with(ProfileParams newProfile);
}
