package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words as Docker 20.10 and Podman 4.3 say them, the first line of each pair Docker's. */
class PullRefusalTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unauthorized: authentication required | me | does not accept 'registry_auth' of 'me'",
        "reading manifest 1 in r:5/a: unauthorized: authentication required | me | of 'me'",
        "Head \"http://r:5/v2/a/manifests/1\": no basic auth credentials | | add credentials",
        "reading manifest 1 in r:5/a: unauthorized: authentication required | | add credentials",
        "manifest for r:5/a:1 not found: manifest unknown: manifest unknown | me | name and tag",
        "reading manifest 1 in r:5/a: manifest unknown: manifest unknown | me | name and tag",
        "Get \"http://r:5/v2/\": dial tcp r:5: connect: connection refused | | r:5 cannot be"
            + " reached",
        "pinging container registry r:5: dial tcp r:5: connect: connection refused | | be reached",
        "unexpected EOF | me | closed the connection",
        "writing blob: storing blob to file \"/x/1\": happened during read: unexpected EOF | |"
            + " closed",
        "something new | | see the engine's message"
      })
  void wordsOfAnEngineBecomeAdvice(String words, @Nullable String username, String advice) {
    assertThat(PullRefusal.sentence("r:5/a:1", words, username))
        .startsWith("the image r:5/a:1 cannot be pulled: ")
        .contains(advice)
        .endsWith("(" + words + ")");
  }
}
