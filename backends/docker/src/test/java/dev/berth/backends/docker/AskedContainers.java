package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run file says of its container reaches the engine. */
abstract class AskedContainers extends OnAnEngine {
  @Test
  void sharedMemoryOfTheRunCountsMoreThanTheBackends() throws Exception {
    with(
        "shm",
        Map.of("shm_size", "96MB"),
        own ->
            assertThat(
                    printed(own, busybox().withShm(32L), "df -k /dev/shm | awk 'NR==2{print $2}'"))
                .isEqualTo("32768\n"));
  }

  @Test
  void portOfTheHostThatTheFileNamesLeadsToTheJob() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    Container container = busybox().withPorts(List.of(PORT), Map.of(free, PORT));
    String job = jobs().start(EngineJobs.request(container, LISTEN));
    jobs().awaitRunning(job);
    awaitListening(jobs(), job);
    assertThat(echoed(free, "hello")).isEqualTo("hello");
    jobs().runtime().kill(job);
  }

  @Test
  void portOfTheHostThatIsTakenIsASentence() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Container container = busybox().withPorts(List.of(PORT), Map.of(socket.getLocalPort(), PORT));
      JobObservation.Exited end =
          jobs().awaitEnd(jobs().start(EngineJobs.request(container, "echo never")));
      assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
      assertThat(end.detail())
          .contains("in use on the engine's machine", "*:8080", "" + socket.getLocalPort());
    }
  }
}
