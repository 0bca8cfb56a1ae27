package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose word is taken for where a request comes from. */
class TrustedProxiesTest {
  private static final TrustedProxies PROXIES =
      TrustedProxies.of(List.of("127.0.0.1", "10.1.0.0/20", "2001:db8::/33", "::1"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Who is not trusted is the client, whatever it says.
        "192.0.2.9 | 198.51.100.1 | 192.0.2.9",
        "10.1.16.1 | 198.51.100.1 | 10.1.16.1",
        "2001:db8:8000::1 | 198.51.100.1 | 2001:db8:8000::1",
        // The last one that no trusted proxy is.
        "127.0.0.1 | 198.51.100.1 | 198.51.100.1",
        "10.1.15.255 | 203.0.113.7, 198.51.100.1 | 198.51.100.1",
        "127.0.0.1 | 203.0.113.7, 198.51.100.1, 10.1.2.3 | 198.51.100.1",
        "2001:db8:7fff::1 | 198.51.100.1:4711 | 198.51.100.1",
        "::1 | [2001:db9::7]:4711 | 2001:db9:0:0:0:0:0:7",
        "0:0:0:0:0:0:0:1 | 2001:db9::7 | 2001:db9:0:0:0:0:0:7",
        "::ffff:127.0.0.1 | 198.51.100.1 | 198.51.100.1",
        // What cannot be read ends it at the last one that can.
        "127.0.0.1 | 198.51.100.1, unknown | 127.0.0.1",
        "127.0.0.1 | 198.51.100.1, unknown, 10.1.2.3 | 10.1.2.3",
        "127.0.0.1 | '' | 127.0.0.1",
        // All are ours: the first of them asks for itself.
        "127.0.0.1 | 10.1.0.7, 10.1.2.3 | 10.1.0.7",
      })
  void theClientIsTheLastWhomNobodyTrusts(String peer, String header, String client) {
    assertThat(PROXIES.client(peer, List.of(header))).isEqualTo(client);
    assertThat(TrustedProxies.NONE.client(peer, List.of(header))).isEqualTo(peer);
  }

  @Test
  void severalLinesAreOne() {
    assertThat(PROXIES.client("127.0.0.1", List.of("203.0.113.7", "198.51.100.1, 10.1.2.3")))
        .isEqualTo("198.51.100.1");
    assertThat(PROXIES.client("127.0.0.1", List.of())).isEqualTo("127.0.0.1");
  }

  @Test
  void zeroBitsAreEverybody() {
    assertThat(
            TrustedProxies.of(List.of("0.0.0.0/0")).client("192.0.2.9", List.of("203.0.113.7, x")))
        .isEqualTo("192.0.2.9");
    assertThatThrownBy(() -> TrustedProxies.of(List.of("10.0.0.0/33")))
        .hasMessageContaining("10.0.0.0/33");
  }
}
