package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place to work in with an editor or a shell. */
public record DevEnvironmentConfiguration(
    RunSettings run,
    ProfileParams profile,
    List<PortMapping> ports,
    @Nullable Ide ide,
    @Nullable String version,
    List<String> init,
    @Nullable TimeLimit inactivityDuration)
    implements RunConfiguration {
  public DevEnvironmentConfiguration {
    ports = List.copyOf(ports);
    init = List.copyOf(init);
  }

  @Override
  public DevEnvironmentConfiguration with(ProfileParams newProfile) {
    return new DevEnvironmentConfiguration(
        run, newProfile, ports, ide, version, init, inactivityDuration);
  }
}
