package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.control.Codec;
import dev.berth.ledger.Ledger;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Resource;
import dev.berth.model.api.AttemptView;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunDetail;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Compares what a cloud says of its machines with what Berth says of them and of their jobs. */
final class MachineAudit {
  /** A deletion that nobody asks for again would be longer overdue than this. */
  private static final Duration LONGEST_LEAVING = Await.AT_MOST;

  private static final double CENT_FRACTION = 1e-9;

  private final Ledger ledger;
  private final List<EventView> events;
  private final List<RunDetail> runs;
  private final List<String> folders;
  private final Collection<CloudRecords.Machine> machines;

  /** The attempts that started there, by the key of their machine, in their order. */
  private final Map<String, List<AttemptView>> jobs;

  MachineAudit(Ledger ledger, CloudRecords cloud, List<EventView> events, List<RunDetail> runs) {
    this.ledger = ledger;
    this.events = events;
    this.runs = runs;
    this.folders = cloud.machineFolders();
    this.machines = cloud.machines();
    this.jobs =
        runs.stream()
            .flatMap(run -> run.attempts().stream())
            .filter(attempt -> attempt.startedAt() != null)
            .sorted(Comparator.comparing(MachineAudit::startedAt))
            .collect(
                Collectors.groupingBy(
                    attempt -> String.valueOf(attempt.instance()),
                    TreeMap::new,
                    Collectors.toList()));
  }

  private static Instant startedAt(AttemptView attempt) {
    return Objects.requireNonNull(attempt.startedAt());
  }

  private static Instant finishedAt(AttemptView attempt) {
    return Objects.requireNonNull(attempt.finishedAt());
  }

  /** Events tell milliseconds, and the cloud and jobs know their times better. */
  private static Instant asTold(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Nothing is there any more, neither at the cloud nor in the ledger. */
  void checkNothingIsLeft() {
    assertThat(folders).as("what stands for machines").isEmpty();
    assertThat(machines)
        .as("machines of the cloud")
        .allSatisfy(machine -> assertThat(machine.goneAt()).isNotNull().isBefore(Instant.now()));
    List<Entity> active = new ArrayList<>();
    ledger.readActive(Ledger.MAIN_REALM, stored -> active.add(Codec.entity(stored.row())));
    assertThat(active)
        .as("what is active in the ledger")
        .noneMatch(entity -> entity instanceof Resource || entity instanceof Fleet)
        .noneMatch(entity -> entity instanceof Instance one && one.purchase() != null);
  }

  /**
   * Each machine was made once, was billed while it was known and no longer, and had one job after
   * the other.
   *
   * @param idle for how long machines are kept without work
   * @param kept the key of one that was kept until somebody deleted it
   */
  void checkMachines(Duration idle, String kept) {
    assertThat(machines)
        .as("one machine for each order")
        .extracting(CloudRecords.Machine::key)
        .doesNotHaveDuplicates()
        .containsAll(jobs.keySet());
    for (CloudRecords.Machine machine : machines) {
      checkTimes(machine);
      checkJobs(machine);
      checkReason(machine, idle, kept);
    }
    assertThat(machines).as("machines, of which some were used again").hasSizeLessThan(runs.size());
    runs.forEach(MachineAudit::checkCost);
  }

  private void checkTimes(CloudRecords.Machine machine) {
    assertThat(one("instance.ordered", machine).at())
        .as("order of %s", machine)
        .isBeforeOrEqualTo(machine.createdAt());
    Instant leaving = one("instance.leaving", machine).at();
    assertThat(machine.deletedAt())
        .as("deletion of %s", machine)
        .isBetween(leaving, leaving.plus(LONGEST_LEAVING));
    // What is billed after that, nobody would look for.
    assertThat(one("instance.gone", machine).at())
        .as("known end of %s", machine)
        .isAfterOrEqualTo(asTold(Objects.requireNonNull(machine.goneAt())));
  }

  private void checkJobs(CloudRecords.Machine machine) {
    Instant free = machine.createdAt();
    for (AttemptView job : jobs(machine)) {
      assertThat(startedAt(job)).as("start of %s on %s", job, machine).isAfterOrEqualTo(free);
      free = finishedAt(job);
    }
    assertThat(free).as("last end on %s", machine).isBeforeOrEqualTo(machine.deletedAt());
  }

  private void checkReason(CloudRecords.Machine machine, Duration idle, String kept) {
    EventView leaving = one("instance.leaving", machine);
    String why = String.valueOf(leaving.data().get("reason"));
    if (machine.key().equals(kept)) {
      assertThat(why).as("why %s was given back", machine).isEqualTo("terminated_by_user");
    } else if (jobs(machine).isEmpty()) {
      assertThat(why).as("why %s was given back", machine).isIn("idle_timeout", "not_needed");
    } else {
      assertThat(why).as("why %s was given back", machine).isEqualTo("idle_timeout");
      assertThat(leaving.at())
          .as("how long %s was kept", machine)
          .isAfterOrEqualTo(asTold(finishedAt(jobs(machine).getLast())).plus(idle));
    }
  }

  private static void checkCost(RunDetail run) {
    double cost =
        run.attempts().stream()
            .filter(attempt -> attempt.startedAt() != null)
            .mapToDouble(
                attempt ->
                    attempt.price()
                        * Duration.between(startedAt(attempt), finishedAt(attempt)).toMillis()
                        / Duration.ofHours(1).toMillis())
            .sum();
    assertThat(run.run().cost()).as("cost of %s", run).isCloseTo(cost, within(CENT_FRACTION));
  }

  private List<AttemptView> jobs(CloudRecords.Machine machine) {
    return jobs.getOrDefault(machine.key(), List.of());
  }

  /** The only event of its kind about a machine. */
  private EventView one(String kind, CloudRecords.Machine machine) {
    List<EventView> found =
        events.stream()
            .filter(event -> event.kind().equals(kind) && event.entityId().equals(machine.key()))
            .toList();
    assertThat(found).as("%s of %s", kind, machine).hasSize(1);
    return found.getFirst();
  }

  String summary() {
    long slowest =
        machines.stream()
            .mapToLong(
                machine ->
                    Duration.between(one("instance.leaving", machine).at(), machine.deletedAt())
                        .toMillis())
            .max()
            .orElse(0);
    return "%d machines for %d jobs that started, given back within %d ms"
        .formatted(machines.size(), jobs.values().stream().mapToInt(List::size).sum(), slowest);
  }
}
