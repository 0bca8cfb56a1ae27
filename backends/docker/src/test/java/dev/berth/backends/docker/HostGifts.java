package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.hosts.docker.EngineRequest;
import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What an engine's host gives to jobs, and what is said where it cannot. */
abstract class HostGifts extends OnAnEngine {
  private static final Pattern PUBLISHED = Pattern.compile("\"HostPort\" ?: ?\"(\\d+)\"");

  @Test
  void ulimitsBeyondTheHostsAreAWarning() throws Exception {
    with(
        "ulimits",
        Map.of("ulimits", Map.of("nofile", "99999999:99999999")),
        own -> {
          String job = own.start(EngineJobs.request(busybox(), "echo ran"));
          assertThat(own.awaitEnd(job).code()).isZero();
          assertThat(own.runtime().describe(job).warnings())
              .singleElement()
              .asString()
              .contains("the host does not give the ulimits nofile");
          TestImages.shellless(engine().engine());
          String direct = own.start(EngineJobs.request(Container.of(TestImages.SHELLESS)));
          assertThat(own.awaitEnd(direct).code()).as("without a shell").isZero();
          assertThat(own.output(direct, JobRuntime.Stream.STDOUT)).contains("worker");
          assertThat(own.runtime().describe(direct).warnings()).hasSize(1);
        });
  }

  @Test
  void ulimitsAndSharedMemoryAreSeenInside() throws Exception {
    with(
        "limits",
        Map.of("ulimits", Map.of("nofile", "512:600", "nproc", "4096:4096"), "shm_size", "96MB"),
        own ->
            assertThat(
                    printed(own, busybox(), "ulimit -n", "df -k /dev/shm | awk 'NR==2{print $2}'"))
                .isEqualTo("512\n98304\n"));
  }

  @Test
  void processorsAndMemoryAreLimited() throws Exception {
    String read =
        "cd /sys/fs/cgroup; cat cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us"
            + " memory/memory.limit_in_bytes 2>/dev/null || cat cpu.max memory.max";
    assertThat(printed(jobs(), busybox(), read).strip().split("\\s+"))
        .containsExactly("100000", "100000", String.valueOf(128 << 20));
  }

  @Test
  void whatAJobUsesIsToldWithItsLimit() throws Exception {
    String job = jobs().start(EngineJobs.request(busybox(), "while :; do :; done"));
    jobs().awaitRunning(job);
    // When it has just begun it may have used nothing yet.
    JobUsage usage = jobs().awaitUsage(job, one -> one.processorTime().isPositive());
    assertThat(usage.processorTime()).isPositive();
    assertThat(usage.memoryBytes()).isBetween(1L, 128L << 20);
    assertThat(usage.memoryLimitBytes()).isEqualTo(128L << 20);
    jobs().runtime().kill(job);
    assertThat(jobs().runtime().usage(List.of(job, "unknown"))).isEmpty();
  }

  /** Where no runner can be, the engine tells. */
  @Test
  void whatAProgramWithoutShellUsesIsTold() throws Exception {
    TestImages.endless(engine().engine());
    String job = jobs().start(EngineJobs.request(Container.of(TestImages.ENDLESS)));
    jobs().awaitRunning(job);
    JobUsage usage = jobs().awaitUsage(job);
    assertThat(usage.memoryBytes()).isBetween(1L, 128L << 20);
    assertThat(usage.memoryLimitBytes()).isEqualTo(128L << 20);
    assertThat(usage.at()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    jobs().runtime().kill(job);
    assertThat(jobs().runtime().usage(List.of(job))).isEmpty();
  }

  @Test
  void memoryThatIsUsedUpIsTold() throws Exception {
    JobObservation.Exited end =
        jobs()
            .awaitEnd(
                jobs()
                    .start(
                        EngineJobs.request(
                            busybox(), "awk 'BEGIN { x = \"y\"; while (1) x = x x }'")));
    assertThat(end).returns(JobObservation.Cause.OUT_OF_MEMORY, JobObservation.Exited::cause);
  }

  @Test
  void folderOfTheHostIsSeenAndWritten() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("in"), "from outside\n");
    Container container =
        busybox().withMounts(List.of(new Container.Mount(data.toString(), "/mnt/data")));
    assertThat(printed(jobs(), container, "cat /mnt/data/in", "echo inside > /mnt/data/out"))
        .isEqualTo("from outside\n");
    assertThat(data.resolve("out")).hasContent("inside\n");
  }

  @Test
  void folderThatTheHostDoesNotHaveIsLeftOutWhereTheJobSaysSo() throws Exception {
    String missing = directory.resolve("missing").toString();
    Container without =
        busybox().withMounts(List.of(new Container.Mount(missing, "/mnt/data", true)));
    assertThat(printed(jobs(), without, "test -e /mnt/data || echo without"))
        .isEqualTo("without\n");
  }

  @Test
  void hostNetworkIsTheHosts() throws Exception {
    String own = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
    with(
        "network",
        Map.of("network", "host"),
        hosted -> {
          assertThat(printed(hosted, busybox(), "readlink /proc/self/ns/net"))
              .isEqualTo(own + "\n");
        });
    assertThat(printed(jobs(), busybox(), "readlink /proc/self/ns/net")).isNotEqualTo(own + "\n");
  }

  @Test
  void portsAreReachedThroughUsAndOnTheHostsOwnAddressOnly() throws Exception {
    String job = jobs().start(EngineJobs.request(busybox().withPorts(List.of(PORT)), LISTEN));
    jobs().awaitRunning(job);
    awaitListening(jobs(), job);
    try (ByteChannel channel = jobs().runtime().connect(job, PORT)) {
      channel.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
      ByteBuffer answer = ByteBuffer.allocate(5);
      while (answer.hasRemaining() && channel.read(answer) >= 0) {
        assertThat(answer.position()).isPositive();
      }
      assertThat(new String(answer.array(), StandardCharsets.UTF_8)).isEqualTo("hello");
    }
    String facts = engine().inspection("berth-" + job);
    assertThat(facts).contains("127.0.0.1");
    Matcher port = PUBLISHED.matcher(facts.substring(facts.indexOf("NetworkSettings")));
    assertThat(port.find()).isTrue();
    assertThat(echoed(Integer.parseInt(port.group(1)), "again")).isEqualTo("again");
    jobs().runtime().kill(job);
  }

  /** The server's own ports are behind the loopback of its machine. */
  @Test
  void containerWithoutAnAddressDoesNotLeadToTheHost() throws Exception {
    try (ServerSocket ours = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      with(
          "none",
          Map.of("network", "none"),
          own -> {
            String job = own.start(EngineJobs.request(busybox(), "exec sleep 3600"));
            own.awaitRunning(job);
            assertThatThrownBy(() -> own.runtime().connect(job, ours.getLocalPort()).close())
                .isInstanceOf(BackendException.Permanent.class)
                .hasMessageContaining("has no address in the network 'none'");
            own.runtime().kill(job);
          });
    }
  }

  @Test
  void jobsOfANetworkReachEachOtherByName() throws Exception {
    String name = "berth-test-" + ProcessHandle.current().pid();
    engine()
        .call(
            EngineRequest.of("POST", "/networks/create")
                .json("{\"Name\":\"%s\",\"CheckDuplicate\":true}".formatted(name)));
    try {
      with(
          "named",
          Map.of("network", name),
          own -> {
            String server = own.start(EngineJobs.request(busybox(), LISTEN));
            own.awaitRunning(server);
            String client =
                "until echo hi | nc -w 60 berth-%s %d; do usleep 50000; done"
                    .formatted(server, PORT);
            assertThat(printed(own, busybox(), client)).isEqualTo("hi\n");
          });
    } finally {
      engine().call(EngineRequest.of("DELETE", "/networks/" + name));
    }
  }

  @Test
  void imageOfAnotherArchitectureIsRefused() throws Exception {
    TestImages.foreign(engine());
    JobObservation.Exited end =
        jobs()
            .awaitEnd(
                jobs().start(EngineJobs.request(Container.of(TestImages.FOREIGN), "echo never")));
    assertThat(end.cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(end.detail()).contains(TestImages.FOREIGN, "s390x", "name an image for it");
  }
}
