package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.docker.ContainerFacts;
import dev.berth.model.JobObservation;
import dev.berth.spi.Execution;
import dev.berth.spi.JobRuntime.Stream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a job that means harm can do with its folder, on a real engine. */
@ResourceLock(TestEngine.DOCKER)
class HostileJobsTest extends OnAnEngine {
  private static final String DONE = "touch /tmp/done; sleep 3600";

  @Override
  TestEngine start() {
    return TestEngine.docker();
  }

  /** Starts a job in its folder, and waits until it has done what it wanted to. */
  private String startAndAwait(String line) throws IOException, InterruptedException {
    String job = jobs().start(EngineJobs.request(busybox(), "cd /berth/job", line, DONE));
    // The claim is among what is tampered with, so the engine is asked whether it runs.
    jobs().awaitWords(job, "Up");
    List<String> look =
        List.of("sh", "-c", "until [ -e /tmp/done ]; do usleep 50000; done; echo done");
    try (Execution execution = engine().engine().exec("berth-" + job, look, Map.of(), () -> {})) {
      execution.input().close();
      assertThat(execution.output().readAllBytes()).asString().isEqualTo("done\n");
    }
    return job;
  }

  private JobObservation observed(String job) {
    return jobs().runtime().observe(List.of(job)).getFirst();
  }

  private void kills(String job) {
    jobs().runtime().kill(job);
    assertThat(engine().engine().find("berth-" + job)).get().matches(facts -> !facts.running());
    assertThat(observed(job)).isInstanceOf(JobObservation.Exited.class);
    jobs().runtime().remove(job);
    assertThat(observed(job)).isInstanceOf(JobObservation.Absent.class);
  }

  @Test
  void jobCannotChangeTheOrderThatItsLaunchObeys() throws Exception {
    Path bait = Files.createDirectory(directory.resolve("bait"));
    String forged =
        """
        {"attemptId":"'$BERTH_ATTEMPT_ID'","image":"%s","commands":[],"environment":{},\
        "stopDurationMillis":1,"limits":{"ulimits":{}},\
        "devices":{"nvidia":[],"cdi":[],"nodes":[],"groups":[]},"network":"bridge","ports":[],\
        "privileged":false,"mounts":[{"source":"%s","target":"/bait","readOnly":false}],\
        "files":[],"secrets":[]}\
        """
            .formatted(TestImages.BUSYBOX, bait);
    String job =
        jobs()
            .start(
                EngineJobs.request(
                    busybox(),
                    "cd /berth/job",
                    "echo '" + forged + "' >container",
                    // A server that notes there that it has started the job does so after a moment.
                    "for i in $(seq 40); do [ -e launched ] || usleep 50000; done",
                    "rm -f runner launched",
                    "mkdir exit.new",
                    "rm -f /bin/sh",
                    "rm -f spec"));
    assertThat(jobs().awaitEnd(job).cause()).isEqualTo(JobObservation.Cause.START_FAILED);
    assertThat(engine().inspection("berth-" + job)).doesNotContain(bait.toString());
    assertThat(engine().engine().find("berth-" + job)).get().matches(ContainerFacts::hasEnded);
  }

  @Test
  void linkInPlaceOfTheOutputShowsNothing() throws Exception {
    Path secret = Files.writeString(directory.resolve("only-for-the-server"), "hush\n");
    String job = startAndAwait("rm stdout stderr; ln -s %s stdout".formatted(secret));
    assertThat(jobs().output(job, Stream.STDOUT)).isEmpty();
    kills(job);
    assertThat(secret).hasContent("hush\n");
  }

  @Test
  void deviceInPlaceOfTheOutputShowsNothing() throws Exception {
    String job = startAndAwait("rm stdout; mknod stdout c 1 5");
    assertThat(jobs().runtime().read(job, Stream.STDOUT, 0, 100).bytes()).isEmpty();
    kills(job);
  }

  @Test
  void nobodyWaitsAtAPipeInPlaceOfTheEnd() throws Exception {
    String job = startAndAwait("mkfifo exit stop");
    assertThat(observed(job)).isInstanceOf(JobObservation.Running.class);
    kills(job);
  }

  @Test
  void endOfAnySizeIsLookedAt() throws Exception {
    String job = startAndAwait("dd if=/dev/zero of=exit bs=1 count=0 seek=3G");
    assertThat(observed(job)).isInstanceOf(JobObservation.Running.class);
    kills(job);
  }

  @Test
  void foldersInPlaceOfFilesKeepNobodyFromEndingTheJob() throws Exception {
    String job = startAndAwait("rm runner; mkdir -p exit/x stop/x runner/x secrets.env/x");
    kills(job);
  }

  @Test
  void nonsenseKeepsNobodyFromSeeingTheOthers() throws Exception {
    String job =
        startAndAwait(
            "echo x >container; echo 999999999999999999 1 1 >metrics; echo x >runner;"
                + " touch -d @99999999999 process heartbeat");
    String other = jobs().start(EngineJobs.request(busybox(), "sleep 3600"));
    jobs().awaitRunning(other);
    assertThat(jobs().runtime().observe(List.of(job, other))).hasSize(2);
    assertThat(jobs().awaitUsage(other).memoryBytes()).isPositive();
    assertThat(jobs().runtime().usage(List.of(job, other))).containsKey(other);
    kills(job);
    kills(other);
  }

  @Test
  void jobThatOnlySaysThatItHasEndedIsEnded() throws Exception {
    String job = startAndAwait("echo 0 exited 1700000000000 >exit");
    assertThat(observed(job)).isInstanceOf(JobObservation.Exited.class);
    kills(job);
  }
}
