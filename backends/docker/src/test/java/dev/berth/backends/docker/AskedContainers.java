package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.docker.EngineNetworks;
import dev.berth.hosts.docker.EngineNetworks.Network;
import dev.berth.hosts.docker.EngineRequest;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.testing.FreePort;
import dev.berth.spi.JobRuntime.Stream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a run file says of its container reaches the engine. */
abstract class AskedContainers extends OnAnEngine {
  private static final int LOOKS = 600;
  private static final long BETWEEN_LOOKS_MS = 100;

  private static final Map<String, String> PER_RUN = Map.of("network", "per-run");

  private EngineNetworks networks() {
    return engine().engine().networks();
  }

  private List<String> networksOf(String owner) {
    return networks().list("berth-backend", owner + "/docker").stream()
        .map(Network::name)
        .sorted()
        .toList();
  }

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
    int free = FreePort.find();
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

  @Test
  void containersOfARunHaveANetworkOfTheirOwn() throws Exception {
    with(
        "runs",
        PER_RUN,
        own -> {
          String server = own.start(EngineJobs.request(busybox().inRun("r1"), LISTEN));
          own.awaitRunning(server);
          String ask =
              "until echo hi | nc -w 60 berth-%s %d; do usleep 50000; done".formatted(server, PORT);
          String client = own.start(EngineJobs.request(busybox().inRun("r1"), ask));
          assertThat(own.awaitEnd(client).code()).isZero();
          assertThat(own.output(client, Stream.STDOUT)).isEqualTo("hi\n");
          String other = own.start(EngineJobs.request(busybox().inRun("r2"), "hostname -i"));
          own.awaitEnd(other);
          assertThat(networksOf("runs"))
              .containsExactly("berth-run-r1-docker", "berth-run-r2-docker");

          own.runtime().remove(server);
          own.runtime().remove(other);
          assertThat(networksOf("runs")).containsExactly("berth-run-r1-docker");
          own.runtime().remove(client);
          own.runtime().remove(client);
          assertThat(networksOf("runs")).isEmpty();
        });
  }

  @Test
  void portsOfAJobInTheNetworkOfItsRunAreReached() throws Exception {
    with(
        "reached",
        PER_RUN,
        own -> {
          String job = own.start(EngineJobs.request(busybox().inRun("r5"), LISTEN));
          own.awaitRunning(job);
          awaitListening(own, job);
          try (var channel = own.runtime().connect(job, PORT)) {
            assertThat(channel.isOpen()).isTrue();
          }
        });
  }

  @Test
  void networkThatAKilledServerLeftIsRemovedAndNoOther() throws Exception {
    make("berth-run-r7-docker", "left/docker");
    make("berth-run-r7-other", "left/other");
    make("berth-run-r7", "");
    try {
      with("left", PER_RUN, _ -> awaitGone("berth-run-r7-docker"));
      assertThat(networks().find("berth-run-r7-other")).isPresent();
      assertThat(networks().find("berth-run-r7")).isPresent();
    } finally {
      networks().remove("berth-run-r7-other");
      networks().remove("berth-run-r7");
    }
  }

  @Test
  void networkThatSomebodyElseMadeIsNotUsed() throws Exception {
    make("berth-run-r8-docker", "");
    try {
      with(
          "foreign",
          PER_RUN,
          own -> {
            JobObservation.Exited end =
                own.awaitEnd(own.start(EngineJobs.request(busybox().inRun("r8"), "echo never")));
            assertThat(end.detail()).contains("berth-run-r8-docker", "somebody else made");
          });
      assertThat(networks().find("berth-run-r8-docker")).isPresent();
    } finally {
      networks().remove("berth-run-r8-docker");
    }
  }

  private void make(String name, String mark) {
    engine()
        .call(
            EngineRequest.of("POST", "/networks/create")
                .json(
                    "{\"Name\":\"%s\",\"Labels\":{\"berth-backend\":\"%s\"}}"
                        .formatted(name, mark)));
  }

  /** Nobody tells of a network's end, so the engine is asked. */
  private void awaitGone(String name) throws InterruptedException {
    Optional<Network> found = networks().find(name);
    for (int look = 0; look < LOOKS && found.isPresent(); look++) {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
      found = networks().find(name);
    }
    assertThat(found).isEmpty();
  }

  @Test
  void jobRunsInAMinimalDebian() throws Exception {
    DebianImage.make(engine().engine());
    Container debian = Container.of(DebianImage.NAME).withUser("worker");
    String job =
        jobs()
            .start(
                EngineJobs.inShell(
                    "/bin/bash",
                    "/data/deep",
                    debian,
                    "pwd",
                    "id -u",
                    "words=(one two); echo ${words[1]} $BASH",
                    "readlink /bin/sh",
                    "exit 3"));
    JobObservation.Exited end = jobs().awaitEnd(job);
    assertThat(end).as("%s", end).returns(3, JobObservation.Exited::code);
    assertThat(jobs().output(job, Stream.STDOUT))
        .isEqualTo("/data/deep\n1234\ntwo /bin/bash\ndash\n");
    assertThat(printed(jobs(), Container.of(DebianImage.NAME), "echo $0 in $PWD"))
        .isEqualTo("/bin/sh in /srv\n");
  }
}
