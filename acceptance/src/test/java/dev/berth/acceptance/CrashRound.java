package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.CrashingServer.Crash;
import dev.berth.client.BerthClient;
import dev.berth.control.FailPoint;
import dev.berth.ledger.SqliteLedger;
import dev.berth.model.api.AttemptView;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunView;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Twenty jobs are submitted, run, are stopped and end, while the server dies before and after
 * commits and actions. Afterwards every job has run once, and everything about it is right.
 */
final class CrashRound {
  static final String PROJECT = "main";
  private static final int JOBS = 20;

  private final TestHome home;
  private final CrashingServer server;
  private final CrashPlace place;
  private final SplittableRandom random;
  private final Map<CrashJob, String> runIds = new HashMap<>();
  private final List<EventView> events = new ArrayList<>();
  private long position;

  CrashRound(TestHome home, CrashingServer server, CrashPlace place, SplittableRandom random) {
    this.home = home;
    this.server = server;
    this.place = place;
    this.random = random;
  }

  void play() {
    List<CrashJob> jobs = jobs();
    place.open(this);
    planCrashes(4, 8);
    for (CrashJob job : jobs) {
      submit(job);
      place.submitted(this, job);
    }
    // From here on most of them are running.
    server.kill();
    planCrashes(2, 4);
    jobs.forEach(this::stopIfWanted);
    CrashJob.openGate(home.scratch());
    awaitEnds(JOBS / 2 + random.nextInt(JOBS / 2));
    // What was planned and not met becomes a death at any moment.
    server.kill();
    if (place.givesBack()) {
      planCrashes(2, 3);
    }
    awaitEnds(JOBS);
    place.awaitGivenBack(this);
    check(jobs);
    List<RunDetail> runs = jobs.stream().map(this::detail).toList();
    server.end();
    home.awaitNothingLeft();
    try (SqliteLedger ledger = SqliteLedger.open(home.folder().resolve("server/berth.db"))) {
      assertThat(ledger.unfinishedActions("main")).as("unfinished actions").isEmpty();
      place.check(home, ledger, events, runs);
    }
    home.delete();
  }

  private List<CrashJob> jobs() {
    List<CrashJob> jobs = new ArrayList<>();
    for (int number = 0; number < JOBS; number++) {
      CrashJob.Stopped stopped =
          switch (number) {
            case 4, 11 -> CrashJob.Stopped.AT_ONCE;
            case 2, 8, 16, 19 -> CrashJob.Stopped.WHEN_IT_RUNS;
            default -> CrashJob.Stopped.NEVER;
          };
      jobs.add(CrashJob.create(number, stopped, home.scratch(), random));
    }
    return jobs;
  }

  /** Servers that die at every point, in any order, so early that each will get there. */
  private void planCrashes(int mostActions, int mostCommits) {
    List<FailPoint> points = new ArrayList<>(List.of(FailPoint.values()));
    Collections.shuffle(points, new Random(random.nextLong()));
    for (FailPoint point : points) {
      int most =
          switch (point) {
            case BEFORE_ACTION, AFTER_ACTION -> mostActions;
            case BEFORE_COMMIT, AFTER_COMMIT -> mostCommits;
          };
      server.plan(new Crash(point, 1 + random.nextInt(most)));
    }
  }

  private void submit(CrashJob job) {
    String key = "submit-" + job.name();
    RunView run = server.ask(client -> client.submit(PROJECT, place.request(job), key));
    assertThat(run.name()).isEqualTo(job.name());
    runIds.put(job, run.id());
    if (job.stopped() == CrashJob.Stopped.AT_ONCE) {
      server.ask(client -> client.stop(PROJECT, run.id(), false));
    }
  }

  private void stopIfWanted(CrashJob job) {
    if (job.stopped() == CrashJob.Stopped.WHEN_IT_RUNS) {
      String id = id(job);
      awaitEvents(
          job.name() + " runs",
          () -> events.stream().anyMatch(event -> isStatus(event, id, "running")));
      // It is told to run before its first command does, which is to be seen afterwards.
      Await.until(job.name() + " notes that it started", () -> hasNoted(id));
      server.ask(client -> client.stop(PROJECT, id, random.nextInt(4) == 0));
    }
  }

  /** Whether an attempt of a run noted its start: ids of attempts begin with that of the run. */
  private boolean hasNoted(String run) {
    return CrashJob.started(home.scratch()).stream()
        .anyMatch(attempt -> attempt.startsWith(run + "-"));
  }

  private static boolean isStatus(EventView event, String run, String status) {
    return event.kind().equals("run.status")
        && event.entityId().equals(run)
        && status.equals(event.data().get("to"));
  }

  /** Waits until a run has ended. */
  void awaitEnd(CrashJob job) {
    String id = id(job);
    awaitEvents(job.name() + " has ended", () -> ended().anyMatch(id::equals));
  }

  private void awaitEnds(int wanted) {
    awaitEvents(wanted + " runs have ended", () -> ended().count() >= wanted);
  }

  private Stream<String> ended() {
    return told("run.ended");
  }

  /** What happened to entities, as far as it was read: the ids of those with an event of a kind. */
  Stream<String> told(String kind) {
    return events.stream().filter(event -> event.kind().equals(kind)).map(EventView::entityId);
  }

  /** Reads on in the events until the wanted ones are there. */
  void awaitEvents(String what, BooleanSupplier seen) {
    Await.until(
        what,
        () -> {
          if (seen.getAsBoolean()) {
            return true;
          }
          EventList page = server.ask(client -> client.events(PROJECT, position, 1000, 1));
          events.addAll(page.events());
          position = page.next();
          return seen.getAsBoolean();
        },
        () -> all().toString());
  }

  /** The server of the round, for what a place asks of it. */
  CrashingServer server() {
    return server;
  }

  private RunDetail detail(CrashJob job) {
    return server.ask(client -> client.get(PROJECT, id(job)));
  }

  private List<RunView> all() {
    return server.ask(client -> client.list(PROJECT, true, 1000, null)).runs();
  }

  private String id(CrashJob job) {
    String id = runIds.get(job);
    assertThat(id).isNotNull();
    return String.valueOf(id);
  }

  private void check(List<CrashJob> jobs) {
    assertThat(all())
        .extracting(RunView::name)
        .containsExactlyInAnyOrderElementsOf(jobs.stream().map(CrashJob::name).toList());
    assertThat(ended()).as("ends that were told").doesNotHaveDuplicates().hasSize(JOBS);
    List<String> started = CrashJob.started(home.scratch());
    assertThat(started).as("attempts that started").doesNotHaveDuplicates();
    Set<String> known = new HashSet<>();
    for (CrashJob job : jobs) {
      known.add(checkJob(job, started));
    }
    assertThat(known).as("only known attempts started").containsAll(started);
  }

  /** Checks one job and returns the id of its only attempt. */
  private String checkJob(CrashJob job, List<String> started) {
    RunDetail detail = detail(job);
    assertThat(detail.attempts()).as("attempts of %s", detail.run()).hasSize(1);
    AttemptView attempt = detail.attempts().getFirst();
    byte[] stdout = output(job, "stdout", attempt);
    byte[] stderr = output(job, "stderr", attempt);
    if (job.isStopped()) {
      assertThat(detail.run().status()).as("%s", detail.run()).isEqualTo("terminated");
      assertThat(detail.run().exitCode()).as("%s", detail.run()).isNull();
      // It wrote no more than the beginning, and nothing else.
      assertThat(stdout).isEqualTo(Arrays.copyOf(job.stdout(), stdout.length));
      assertThat(stderr).isEqualTo(Arrays.copyOf(job.stderr(), stderr.length));
    } else {
      assertThat(detail.run().status())
          .as("%s", detail.run())
          .isEqualTo(job.exitCode() == 0 ? "done" : "failed");
      assertThat(detail.run().exitCode()).as("%s", detail.run()).isEqualTo(job.exitCode());
      assertThat(OutputBytes.sha256(stdout)).isEqualTo(OutputBytes.sha256(job.stdout()));
      assertThat(OutputBytes.sha256(stderr)).isEqualTo(OutputBytes.sha256(job.stderr()));
    }
    if (job.stopped() != CrashJob.Stopped.AT_ONCE) {
      assertThat(started).as("attempts that started").contains(attempt.id());
    }
    return attempt.id();
  }

  private byte[] output(CrashJob job, String stream, AttemptView attempt) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (attempt.backend() == null) {
      return bytes.toByteArray();
    }
    while (true) {
      BerthClient.Range range =
          server.ask(
              client ->
                  client.log(
                      PROJECT, id(job), BerthClient.Source.FIRST_NODE, stream, bytes.size()));
      if (range.bytes().length == 0) {
        return bytes.toByteArray();
      }
      bytes.writeBytes(range.bytes());
    }
  }
}
