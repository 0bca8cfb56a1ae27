package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The machines of an SSH fleet and how to reach them. */
public record SshConfig(
    @Nullable String user,
    @Nullable Integer port,
    @Nullable String identityFile,
    @Nullable SshProxy proxyJump,
    List<SshHost> hosts,
    @Nullable String network) {
  public SshConfig {
    hosts = List.copyOf(hosts);
  }
}
