package dev.berth.testkit.awkward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.fake.FakeFault;
import dev.berth.testkit.fake.FakeFaults;
import dev.berth.testkit.fake.FakeInventory;
import dev.berth.testkit.fake.FakeProvider;
import dev.berth.testkit.fake.FaultRule;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that makes and deletes a machine of the awkward cloud is killed by SIGKILL between any
 * two calls of create and delete, and goes on: in the end nothing is left, and nothing was doubled.
 */
class AwkwardCrashTest {
  private static final int KILLED = 137;
  private static final int MOST_CALLS = 100;
  private static final int MOST_KILLS = 5;

  private final SplittableRandom seeds = new SplittableRandom();
  @TempDir Path directory;

  /**
   * One for a build, which kills at each point once; more for a soak, which kill again and again.
   */
  private static int rounds() {
    String soak = System.getProperty("berth.soak", "").strip();
    return soak.matches("[0-9]+") ? Math.max(1, Integer.parseInt(soak)) : 1;
  }

  @Test
  void nothingIsLeftOrDoubledWhereverTheProcessIsKilled() throws Exception {
    int points = 0;
    while (live("call " + (points + 1), List.of(points + 1)) == 1) {
      points++;
      assertThat(points).as("calls of one create and delete").isLessThan(MOST_CALLS);
    }
    // Three calls create, and no fewer look, delete the machine, look again and delete its parts.
    assertThat(points).as("points at which it was killed").isGreaterThan(8);
    int kills = points;
    for (int round = 1; round < rounds(); round++) {
      long seed = seeds.nextLong();
      SplittableRandom random = new SplittableRandom(seed);
      int most = points;
      List<Integer> calls =
          random.ints(1 + random.nextInt(MOST_KILLS), 1, most + 1).boxed().toList();
      kills += live("round %d of seed %d".formatted(round, seed), calls);
    }
    System.out.printf(
        "AwkwardCrashTest: %d rounds, %d points, %d processes killed%n", rounds(), points, kills);
  }

  /**
   * The life of one machine, at a cloud of its own.
   *
   * @param calls behind which call of create and delete the first process is killed, then the next
   * @return how many processes were killed
   */
  private int live(String name, List<Integer> calls) throws Exception {
    Path journal = directory.resolve(name.replace(' ', '-') + ".journal");
    try (FakeProvider cloud = FakeProvider.start(new AwkwardCloud())) {
      int kills = 0;
      for (int call : calls) {
        if (!isKilled(cloud, journal, call, name)) {
          break;
        }
        kills++;
      }
      if (kills == calls.size()) {
        // Nobody kills this one, so it needs no process of its own.
        new AwkwardProgram(journal, line -> answer(cloud, line)).run(cloud.address().toString());
      }
      check(name, cloud);
      return kills;
    }
  }

  private static void check(String name, FakeProvider cloud) {
    assertThat(cloud.problems()).as(name).isEmpty();
    // What was ordered by a process that died would come now.
    cloud.clock().advance(Duration.ofHours(1));
    FakeInventory inventory = cloud.inventory();
    assertThat(inventory.leftovers()).as(name).isEmpty();
    assertThat(inventory.entries())
        .as(name)
        .filteredOn(entry -> entry.kind().equals("machine"))
        .hasSizeLessThanOrEqualTo(1);
  }

  /** Runs the process until it has ended, or was killed behind a call. */
  private static boolean isKilled(FakeProvider cloud, Path journal, int call, String name)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                AwkwardProgram.class.getName(),
                cloud.address().toString(),
                journal.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    AtomicBoolean counting = new AtomicBoolean();
    FaultRule kill =
        FaultRule.of(new FakeFault.Meanwhile(() -> kill(process)))
            .where(_ -> counting.get())
            .atCall(call);
    try (FakeFaults.Injected injected = cloud.faults().add(kill)) {
      serve(process, cloud, counting);
      int code = process.waitFor();
      boolean wasKilled = injected.count() > 0;
      assertThat(code).as("exit code at %s", name).isEqualTo(wasKilled ? KILLED : 0);
      return wasKilled;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Sends SIGKILL, and leaves what the process said to whoever reads it. */
  private static void kill(Process process) {
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }

  /** Lets time pass when the process waits, until it has ended. */
  private static void serve(Process process, FakeProvider cloud, AtomicBoolean counting)
      throws IOException {
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        BufferedWriter answers = process.outputWriter(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        counting.set(line.equals("create") || line.equals("delete"));
        answers.write(answer(cloud, line) + "\n");
        answers.flush();
      }
    }
  }

  private static String answer(FakeProvider cloud, String line) {
    if (line.startsWith("pause ")) {
      cloud.clock().advance(Duration.ofMillis(Long.parseLong(line.substring(6))));
    }
    return cloud.clock().instant().toString();
  }
}
