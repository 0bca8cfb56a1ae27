package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What engines answered when they were asked what a container uses, shortened. */
class ContainerStatsTest {
  @Test
  void memoryThatCouldBeTakenBackIsNotCounted() {
    assertThat(
            ContainerStats.parse(
                EngineJson.parse(
                    """
                    {"read":"2026-11-17T12:00:00.5Z","cpu_stats":{"cpu_usage":{"total_usage":1500000000}},
                     "memory_stats":{"usage":5000000,"limit":134217728,"stats":{"inactive_file":2000000}}}
                    """)))
        .contains(
            new ContainerStats(
                Instant.parse("2026-11-17T12:00:00.5Z"), Duration.ofMillis(1500), 3_000_000));
  }

  @Test
  void versionOneOfCgroupsHasAnotherName() {
    assertThat(
            ContainerStats.parse(
                EngineJson.parse(
                    """
                    {"read":"2026-11-17T13:00:00+01:00","cpu_stats":{"cpu_usage":{"total_usage":0}},
                     "memory_stats":{"usage":5000000,"stats":{"total_inactive_file":1}}}
                    """)))
        .contains(
            new ContainerStats(Instant.parse("2026-11-17T12:00:00Z"), Duration.ZERO, 4_999_999));
  }

  @Test
  void nothingIsToldOfWhatDoesNotRun() {
    assertThat(
            ContainerStats.parse(
                EngineJson.parse(
                    "{\"read\":\"0001-01-01T00:00:00Z\",\"cpu_stats\":{},\"memory_stats\":{}}")))
        .isEmpty();
    assertThat(ContainerStats.parse(EngineJson.parse("{\"memory_stats\":{\"usage\":5}}")))
        .isEmpty();
  }
}
