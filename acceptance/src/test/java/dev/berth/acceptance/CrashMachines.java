package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.ledger.Ledger;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Machines of a cloud that only makes machines, on which Berth runs the jobs itself. The first
 * job's machine is kept for long, so that the second one must use it again, and goes with its
 * fleet; the others go when they were idle for long enough.
 */
record CrashMachines(String identity) implements CrashPlace {
  /**
   * Those under which a repeated order differs most: one makes nothing new, and the other a second
   * machine.
   */
  private static final List<String> IDENTITIES = List.of("token", "lookup");

  private static final String BACKEND = "cloud";
  private static final Duration IDLE = Duration.ofSeconds(2);
  private static final Duration LONG_IDLE = Duration.ofHours(1);
  private static final String FIRST = "job-0";
  private static final String SECOND = "job-1";

  /** Each round has another identity than the one before; the seed decides which comes first. */
  static CrashMachines inRound(long seed, int round) {
    return new CrashMachines(
        IDENTITIES.get((int) Math.floorMod(seed + round, (long) IDENTITIES.size())));
  }

  private Map<String, @Nullable Object> config() {
    return Map.of(
        "gives",
        "machines",
        "jobs",
        "berth",
        "identity",
        identity,
        "scenario",
        Map.of(
            "boot_time",
            "200ms",
            "delete_time",
            "200ms",
            "visible_within",
            "300ms",
            "call_deadline",
            "500ms"));
  }

  @Override
  public void open(CrashRound round) {
    BackendRequest cloud = new BackendRequest(BACKEND, "sim", config());
    round.server().ask(client -> client.addBackend(CrashRound.PROJECT, cloud));
    // The next one is the first with a planned end.
    round.server().kill();
  }

  @Override
  public RunRequest request(CrashJob job) {
    return job.request(BACKEND, job.name().equals(FIRST) ? LONG_IDLE : IDLE);
  }

  @Override
  public void submitted(CrashRound round, CrashJob job) {
    if (job.name().equals(FIRST)) {
      round.awaitEnd(job);
    }
  }

  @Override
  public boolean givesBack() {
    return true;
  }

  @Override
  public void awaitGivenBack(CrashRound round) {
    round.server().ask(CrashMachines::deleteFirstFleet);
    round.awaitEvents(
        "all machines are given back",
        () ->
            round
                .told("instance.gone")
                .collect(Collectors.toSet())
                .containsAll(round.told("instance.ordered").toList()));
  }

  /** A server that died may have deleted it before it could say so. */
  private static boolean deleteFirstFleet(BerthClient client) {
    try {
      client.deleteFleet(CrashRound.PROJECT, FIRST);
    } catch (ClientException e) {
      if (e.status() != 404) {
        throw e;
      }
    }
    return true;
  }

  @Override
  public void check(TestHome home, Ledger ledger, List<EventView> events, List<RunDetail> runs) {
    String kept = machineOf(runs, FIRST);
    assertThat(machineOf(runs, SECOND)).as("the machine that was used again").isEqualTo(kept);
    MachineAudit audit = new MachineAudit(ledger, CloudRecords.of(home, BACKEND), events, runs);
    audit.checkNothingIsLeft();
    audit.checkMachines(IDLE, kept);
    System.out.println("CrashTest on machines, " + identity + ": " + audit.summary());
  }

  private static String machineOf(List<RunDetail> runs, String name) {
    return runs.stream()
        .filter(run -> run.run().name().equals(name))
        .map(run -> String.valueOf(run.attempts().getFirst().instance()))
        .collect(Collectors.joining());
  }
}
