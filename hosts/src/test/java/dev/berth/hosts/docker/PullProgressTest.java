package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PullProgressTest {
  @Test
  void layersAreAddedUp() {
    PullProgress progress = new PullProgress("python:3.13");
    progress.line("{\"status\":\"Pulling from library/python\",\"id\":\"3.13\"}");
    assertThat(progress.words()).isEqualTo("pulling python:3.13");
    progress.line(
        "{\"status\":\"Downloading\",\"progressDetail\":{\"current\":1000000,\"total\":4000000},\"id\":\"a\"}");
    progress.line(
        "{\"status\":\"Downloading\",\"progressDetail\":{\"current\":0,\"total\":6000000},\"id\":\"b\"}");
    assertThat(progress.words()).isEqualTo("pulling python:3.13: 10% of 10.0 MB");
    progress.line("{\"status\":\"Download complete\",\"progressDetail\":{},\"id\":\"a\"}");
    assertThat(progress.words()).isEqualTo("pulling python:3.13: 40% of 10.0 MB");
    assertThat(progress.failure()).isEmpty();
  }

  @Test
  void failureIsKeptInTheEnginesWords() {
    PullProgress progress = new PullProgress("private:1");
    progress.line(
        "{\"errorDetail\":{\"message\":\"unauthorized: authentication"
            + " required\"},\"error\":\"unauthorized\"}");
    assertThat(progress.failure()).contains("unauthorized: authentication required");
  }
}
