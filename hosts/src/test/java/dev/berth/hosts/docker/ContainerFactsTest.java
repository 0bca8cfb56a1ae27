package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What engines tell of a container. */
class ContainerFactsTest {
  @Test
  void publishedPortsHaveNumbers() {
    ContainerFacts facts =
        ContainerFacts.parse(
            EngineJson.parse(
                """
                {"NetworkSettings": {"IPAddress": "", "Ports": {
                  "8080/tcp": [{"HostIp": "127.0.0.1", "HostPort": "32768"}],
                  "9090/tcp": null, "53/udp": [{"HostPort": "53"}], "70/tcp": []}}}
                """));
    assertThat(facts.published()).isEqualTo(Map.of(8080, 32768));
    assertThat(facts.address()).isEmpty();
  }
}
