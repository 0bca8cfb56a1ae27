package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobStatus;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.Run;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs, gangs, schedules and fleets on machines of a provider that loses answers, makes things
 * twice and takes them away. After each message the invariants hold, and once the provider is
 * reliable everything ends and nothing is left there.
 */
final class RandomCloudLivesTest {
  private static final int STEPS = 300;

  static LongStream seeds() {
    String soak = System.getProperty("berth.soak", "");
    int factor = soak.matches("[1-9][0-9]*") ? Integer.parseInt(soak) : 1;
    return LongStream.rangeClosed(1, 30L * factor);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everythingEndsAndNothingIsLeft(long seed) {
    Lives lives = new Lives(seed);
    for (int step = 0; step < STEPS; step++) {
      lives.step();
    }
    lives.settle();
  }

  private static final class Lives {
    private final Random random;
    private final RandomMachine jobs;
    private final RandomCloud cloud;
    private final Scenario scenario;
    private final List<Message> onTheWay = new ArrayList<>();
    private int names;

    Lives(long seed) {
      random = new Random(seed);
      jobs = new RandomMachine(random);
      cloud = new RandomCloud(random);
      scenario = random.nextBoolean() ? new Scenario() : Scenario.with(Machines.withSlots("m1", 2));
      scenario.market =
          Offers.market(
              Offers.grouped("near", 1, "eu-1", "eu-1a", "eu-1b"),
              random.nextBoolean()
                  ? Offers.machine("far", 2, "us-1")
                  : Offers.grouped("far", 2, "us-1"),
              Offers.gpuMachine("gpus", 8, 8),
              Offers.spotMachine("spot", 0.5),
              Offers.container("box", random.nextBoolean() ? 0.1 : 9));
    }

    void step() {
      switch (random.nextInt(16)) {
        case 0, 1 -> submit();
        case 2 -> pick(runs()).ifPresent(this::stop);
        case 3 -> fleet();
        case 4, 5 -> pick(jobs.busy()).ifPresent(this::callJob);
        case 6, 7 -> pick(cloud.busy()).ifPresent(this::callCloud);
        case 8 -> pick(attempts()).ifPresent(id -> jobs.happen(id, scenario.now()));
        case 9 -> pick(attempts()).ifPresent(this::look);
        case 10 -> happen();
        case 11 -> sights();
        case 12, 13, 14 -> hearOne();
        default -> {
          passTime(Duration.ofMillis(random.nextInt(120_000)));
          if (random.nextInt(4) == 0) {
            sweep();
          }
        }
      }
    }

    /** Every call works and every message is heard, until nothing is left to do. */
    void settle() {
      jobs.becomeReliable();
      cloud.becomeReliable();
      for (Fleet fleet : scenario.memory.active(Fleet.class)) {
        if (!fleet.temporary()) {
          tell(new Message.DeleteFleet(Scenario.PROJECT, fleet.name(), "ann"));
        }
      }
      for (Run run : scenario.memory.active(Run.class)) {
        if (run.policy().isScheduled()) {
          tell(new Message.Stop(Scenario.PROJECT, run.name(), false, "ann"));
        }
      }
      for (int round = 0; round < 400 && !isQuiet(); round++) {
        List.copyOf(jobs.busy()).forEach(this::callJob);
        List.copyOf(cloud.busy()).forEach(this::callCloud);
        cloud.boot();
        lose();
        sights();
        while (!onTheWay.isEmpty()) {
          hearOne();
        }
        attempts().forEach(id -> jobs.happen(id, scenario.now()));
        attempts().forEach(this::look);
        sweep();
        passTime(Duration.ofMinutes(1 + random.nextInt(10)));
      }
      assertGone(Run.class);
      assertGone(Resource.class);
      assertGone(Fleet.class);
      assertThat(scenario.memory.active(Instance.class))
          .as("machines that are paid for")
          .allMatch(instance -> instance.purchase() == null && instance.allocations().isEmpty());
      assertThat(scenario.memory.unfinishedActions()).as("actions that never end").isEmpty();
      assertThat(jobs.alive()).as("jobs that were left alone").isEmpty();
      assertThat(cloud.all()).as("what is left at the provider").isEmpty();
    }

    private void assertGone(Class<? extends Entity> type) {
      assertThat(scenario.memory.active(type)).as("what never ends").isEmpty();
    }

    private boolean isQuiet() {
      return onTheWay.isEmpty()
          && jobs.busy().isEmpty()
          && cloud.busy().isEmpty()
          && cloud.all().isEmpty()
          && scenario.memory.active(Run.class).isEmpty()
          && scenario.memory.active(Resource.class).isEmpty()
          && scenario.memory.active(Fleet.class).isEmpty()
          && scenario.memory.unfinishedActions().findAny().isEmpty();
    }

    private void submit() {
      TaskBuilder task = TaskBuilder.task();
      switch (random.nextInt(5)) {
        case 0 -> task.cpus(16);
        case 1 -> task.gpus(1 + random.nextInt(4));
        case 2 -> task.cpus(99);
        default -> {}
      }
      if (random.nextInt(3) == 0) {
        task.nodes(2 + random.nextInt(2));
        task.startupOrder = pickOne(StartupOrder.values());
        task.stopCriteria = pickOne(StopCriteria.values());
      }
      if (random.nextInt(2) == 0) {
        task.retrying(
            Duration.ofMinutes(random.nextInt(60)), pickOne(RetryEvent.values()), RetryEvent.ERROR);
      }
      if (random.nextInt(3) == 0) {
        task.spot(pickOne(SpotPolicy.values()));
      }
      if (random.nextInt(8) == 0) {
        task.at("*/7 * * * *");
      }
      if (random.nextInt(5) == 0) {
        task.inFleet("pool-" + random.nextInt(3));
      }
      task.priority(random.nextInt(3));
      List<String> after =
          random.nextInt(6) == 0
              ? scenario.memory.active(Run.class).stream().map(Run::id).limit(2).toList()
              : List.of();
      tell(scenario.submission("run-" + ++names, task, 1 + random.nextInt(3), after));
    }

    private void fleet() {
      String name = "pool-" + random.nextInt(3);
      if (random.nextInt(4) == 0) {
        tell(new Message.DeleteFleet(Scenario.PROJECT, name, "ann"));
        return;
      }
      int min = random.nextInt(2);
      int target = min + random.nextInt(2);
      FleetNodes nodes =
          new FleetNodes(min, target, random.nextBoolean() ? null : target + random.nextInt(2));
      Fleet.Spec spec =
          Offers.fleet(
              nodes,
              pickOne(Blocks.AUTO, Blocks.WHOLE, new Blocks(2)),
              random.nextBoolean() ? FleetPlacement.CLUSTER : null,
              Duration.ofMinutes(random.nextInt(9)));
      tell(
          new Message.ApplyFleet(
              "fleet-" + ++names, Scenario.PROJECT, "ann", name, Map.of(), spec));
    }

    private void stop(String name) {
      tell(new Message.Stop(Scenario.PROJECT, name, random.nextInt(3) == 0, "ann"));
    }

    private void callJob(String attemptId) {
      onTheWay.add(jobs.call(attemptId, scenario.now()));
    }

    private void callCloud(String resourceId) {
      onTheWay.add(cloud.call(resourceId, scenario.now()));
      lose();
    }

    private void happen() {
      cloud.happen();
      lose();
    }

    private void lose() {
      cloud.went().forEach(jobs::lose);
    }

    /** What a watch tells of a job: nothing where its machine does not answer. */
    private void look(String attemptId) {
      Resource.State phase =
          scenario
              .memory
              .find(Resource.class, attemptId)
              .map(Resource::phase)
              .orElse(Resource.State.INTENDED);
      Attempt attempt = scenario.memory.find(Attempt.class, attemptId).orElseThrow();
      String on = attempt.instanceId();
      boolean reachable =
          on == null
              || scenario
                  .memory
                  .find(Resource.class, on)
                  .map(Resource::ref)
                  .map(ref -> cloud.has(ref.id()))
                  .orElse(on.equals("m1"));
      if (!reachable) {
        if (attempt.status() == JobStatus.RUNNING) {
          onTheWay.add(new Message.Unseen(attemptId));
        }
        return;
      }
      JobObservation seen = jobs.look(attemptId);
      if (seen instanceof JobObservation.Absent
          && phase != Resource.State.PRESENT
          && phase != Resource.State.LEAVING) {
        return;
      }
      onTheWay.add(new Message.Observed(attemptId, seen));
    }

    /** What a watch tells of machines. */
    private void sights() {
      for (Resource resource : scenario.memory.active(Resource.class)) {
        boolean watched =
            resource.type() != ResourceType.JOB
                && (resource.phase() == Resource.State.PRESENT
                    || resource.phase() == Resource.State.LEAVING);
        if (watched) {
          onTheWay.add(new Message.ResourceObserved(resource.id(), cloud.look(resource.ref())));
        }
      }
    }

    private void sweep() {
      List<Message.Swept.Stranger> strangers =
          cloud.all().stream().filter(stranger -> !isRecorded(stranger)).toList();
      tell(new Message.Swept(Offers.BACKEND, strangers));
    }

    private boolean isRecorded(Message.Swept.Stranger stranger) {
      return scenario
          .memory
          .find(Resource.class, stranger.key())
          .filter(known -> known.ref() == null || known.ref().id().equals(stranger.ref().id()))
          .isPresent();
    }

    private void hearOne() {
      if (onTheWay.isEmpty()) {
        return;
      }
      int which = random.nextInt(onTheWay.size());
      Message message = onTheWay.get(which);
      boolean twice = message instanceof Message.Observed && random.nextInt(10) == 0;
      if (!twice) {
        onTheWay.remove(which);
      }
      tell(message);
    }

    private void passTime(Duration time) {
      scenario.later(time);
      scenario.tellWhatIsDue();
      handOver();
    }

    private void tell(Message message) {
      scenario.tell(message);
      handOver();
    }

    private void handOver() {
      for (Action action : scenario.handedOver) {
        if (action.of() == ResourceType.JOB) {
          jobs.accept(action);
        } else {
          cloud.accept(action);
        }
      }
    }

    private List<String> runs() {
      return scenario.memory.active(Run.class).stream().map(Run::name).toList();
    }

    private List<String> attempts() {
      return scenario.memory.active(Attempt.class).stream().map(Attempt::id).toList();
    }

    private Optional<String> pick(List<String> from) {
      return from.isEmpty() ? Optional.empty() : Optional.of(from.get(random.nextInt(from.size())));
    }

    @SafeVarargs
    private <T> T pickOne(T... from) {
      return from[random.nextInt(from.length)];
    }
  }
}
