package dev.berth.bench;

import dev.berth.bench.SimThroughput.Catalogued;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** All benchmarks, the quick ones first. */
final class Catalog {
  static final List<Benchmark> ALL =
      List.of(
          new GrammarRead(300),
          new OfferQuery("offer", 1, 50),
          new OfferQuery("offer-x10", 10, 10),
          new CommandProcess(
              "validate-process",
              false,
              List.of("validate", "-f", "examples/hello.berth.yml", "--json")),
          new CommandProcess("ps-process", true, List.of("ps")),
          new VersionProcess(Objects.requireNonNullElse(System.getenv("PATH"), "")),
          new ServerStart(),
          new ServerIdleMemory(Duration.ofSeconds(2)),
          new SubmitToStart(50),
          new SubmitToDone(50),
          new DockerStarts("docker-submit-to-start", "docker-run", 1, 10),
          new DockerStarts("docker-fifty-at-once", "docker-run-fifty", 50, 1),
          new LogThroughput(100_000_000),
          new LogFollowers(200, 30),
          new SimActiveMemory(10_000),
          new PlanLatency(3_000),
          new MachinesWatched(10_000, Duration.ofSeconds(20)),
          new SimThroughput(Storage.SQLITE, Catalogued.NOTHING, 10_000),
          new SimThroughput(Storage.POSTGRES, Catalogued.NOTHING, 10_000),
          new SimThroughput(Storage.SQLITE, Catalogued.EVERYTHING, 10_000),
          new SimThroughput(Storage.POSTGRES, Catalogued.EVERYTHING, 10_000),
          new HistoryReads(Storage.SQLITE, 100_000, 2_000),
          new HistoryReads(Storage.POSTGRES, 100_000, 2_000));

  private Catalog() {}

  static List<String> names() {
    return ALL.stream().flatMap(found -> found.figures().stream()).map(Figure::name).toList();
  }

  /** The benchmarks that have a figure of one of these names; all of them where none is named. */
  static List<Benchmark> select(List<String> wanted) {
    return ALL.stream()
        .filter(
            found ->
                wanted.isEmpty()
                    || found.figures().stream().map(Figure::name).anyMatch(wanted::contains))
        .toList();
  }
}
