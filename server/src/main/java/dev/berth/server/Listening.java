package dev.berth.server;

import dev.berth.model.config.ServerConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens.
 *
 * @param proxies those before it whose word is taken for where a request comes from
 */
record Listening(String host, int port, TrustedProxies proxies) {
  private static final String DEFAULT_HOST = "127.0.0.1";
  private static final int DEFAULT_PORT = 3777;

  /** As it was told, or else as its file says, or else as usual. */
  static Listening of(
      @Nullable String host, @Nullable Integer port, ServerConfiguration.@Nullable Listen written) {
    String writtenHost = written == null ? null : written.host();
    Integer writtenPort = written == null ? null : written.port();
    return new Listening(
        host != null ? host : writtenHost != null ? writtenHost : DEFAULT_HOST,
        port != null ? port : writtenPort != null ? writtenPort : DEFAULT_PORT,
        TrustedProxies.of(written == null ? null : written.trustedProxies()));
  }

  Listening atPort(int actual) {
    return new Listening(host, actual, proxies);
  }

  String url() {
    return "http://" + host + ":" + port;
  }
}
