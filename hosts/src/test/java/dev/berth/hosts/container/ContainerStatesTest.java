package dev.berth.hosts.container;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobStore;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Observation.Running;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How jobs in containers are seen while they change. */
class ContainerStatesTest {
  @TempDir Path folder = Path.of("");

  private final SteeredEngine engine = new SteeredEngine();

  private JobStore store() {
    return JobStore.ofContainers(ThisMachine.ACCESS, path(folder), Instant.now());
  }

  private ContainerStates states() {
    return new ContainerStates(engine.host(folder), store());
  }

  private static void claim(JobDirectory directory) {
    directory.create("runner", "1 7 " + ThisMachine.ACCESS.processes().bootId() + "\n");
    directory.create("process", "9 8\n");
  }

  @Test
  void nobodyAsksTheEngineForJobsThatNobodyHas() {
    store().prepare("a", _ -> {});
    assertThat(states().state("a")).isInstanceOf(Prepared.class);
    assertThat(engine.asked).isEmpty();
  }

  /** The engine must be asked after the claim was read, or it would not know the container yet. */
  @Test
  void jobThatIsTakenWhileItIsLookedAtRuns() {
    store().prepare("a", _ -> {});
    ContainerStates.Look look = states().look();
    JobDirectory taken =
        new JobDirectory(
            LookedAtFiles.before(
                ThisMachine.ACCESS.files(),
                () -> {
                  engine.containers.put("berth-a", "running");
                  claim(store().directory("a"));
                }),
            store().directory("a").path());
    assertThat(look.state(taken)).isInstanceOf(Running.class);
  }

  @Test
  void containerThatIsNewerThanTheListIsLookedForByItself() {
    store().prepare("a", _ -> {});
    store().prepare("b", _ -> {});
    engine.containers.put("berth-a", "running");
    claim(store().directory("a"));
    ContainerStates.Look look = states().look();
    assertThat(look.state("a")).isInstanceOf(Running.class);
    engine.containers.put("berth-b", "running");
    claim(store().directory("b"));
    assertThat(look.state("b")).isInstanceOf(Running.class);
    assertThat(engine.asked.stream().filter(line -> line.contains("/containers/json"))).hasSize(1);
  }

  @Test
  void endThatIsWrittenWhileTheEngineIsAskedIsTheEnd() {
    store().prepare("a", _ -> {});
    engine.containers.put("berth-a", "exited");
    claim(store().directory("a"));
    engine.beforeEach(
        line -> {
          if (line.contains("/containers/json")) {
            store().directory("a").create("exit", "3 exited 1700000000000\n");
          }
        });
    assertThat(states().state("a")).isInstanceOf(Exited.class);
  }

  @Test
  void containerThatEndedOrIsGoneIsLostWhateverTheClaimSays() {
    for (String claim :
        List.of("1 7 " + ThisMachine.ACCESS.processes().bootId() + "\n", "", "nonsense")) {
      String job = "a" + claim.length();
      store().prepare(job, _ -> {});
      store().directory(job).create("runner", claim);
      assertThat(states().state(job)).isInstanceOf(Lost.class);
      engine.containers.put("berth-" + job, "exited");
      assertThat(states().state(job)).isInstanceOf(Lost.class);
    }
  }
}
