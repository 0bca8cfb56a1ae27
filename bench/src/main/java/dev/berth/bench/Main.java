package dev.berth.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The entrance of {@code bench/run}. */
final class Main {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 64;
  private static final int BUILD_FAILED = 70;

  private static final List<String> OPTIONS = List.of("--json", "--list", "--profile");

  private final PrintStream out;
  private final PrintStream err;
  private final Path root;

  Main(PrintStream out, PrintStream err, Path root) {
    this.out = out;
    this.err = err;
    this.root = root;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("berth.root", "")).toAbsolutePath();
    int code = new Main(System.out, System.err, root).run(List.of(arguments));
    System.out.flush();
    System.exit(code);
  }

  int run(List<String> arguments) throws IOException, InterruptedException {
    List<String> options = arguments.stream().filter(word -> word.startsWith("-")).toList();
    List<String> names = arguments.stream().filter(word -> !word.startsWith("-")).toList();
    List<String> unknown =
        Stream.concat(
                options.stream().filter(word -> !OPTIONS.contains(word)),
                names.stream().filter(word -> !Catalog.names().contains(word)))
            .toList();
    if (!unknown.isEmpty()) {
      err.println("bench: there is no benchmark or option '" + unknown.getFirst() + "'");
      err.println("Usage: bench/run [NAME...] [--json] [--profile] | bench/run --list");
      err.println("Names: " + String.join(", ", Catalog.names()));
      return USAGE;
    }
    if (options.contains("--list")) {
      Catalog.names().forEach(out::println);
      return OK;
    }
    return measure(
        Catalog.select(names), options.contains("--json"), options.contains("--profile"));
  }

  private int measure(List<Benchmark> benchmarks, boolean json, boolean profile)
      throws IOException, InterruptedException {
    try (Workplace place = Workplace.open(root)) {
      if (benchmarks.stream().anyMatch(Benchmark::needsDistribution) && !build(place)) {
        return BUILD_FAILED;
      }
      err.println(Machine.describe(root));
      List<Result> results = new ArrayList<>();
      boolean failed = false;
      for (Benchmark benchmark : benchmarks) {
        Optional<String> missing = benchmark.missing(root);
        if (missing.isPresent()) {
          err.println(
              "bench: " + benchmark.figures().getFirst().name() + " skipped: " + missing.get());
          continue;
        }
        try {
          List<Result> measured = Harness.STANDARD.run(benchmark, place);
          results.addAll(measured);
          if (!json) {
            measured.forEach(result -> out.println(Report.line(result)));
          }
          if (profile) {
            benchmark.profile(place).forEach(err::println);
          }
        } catch (IOException | RuntimeException e) {
          if (place.isClosed()) {
            return FAILED;
          }
          failed = true;
          err.println("bench: " + benchmark.figures().getFirst().name() + " failed: " + e);
        }
      }
      if (json) {
        out.println(Report.json(results));
      }
      err.println("bench: load average at the end " + Machine.load());
      return failed ? FAILED : OK;
    }
  }

  /** Lets the launcher build the distribution, which would otherwise be a part of a sample. */
  private boolean build(Workplace place) throws IOException, InterruptedException {
    ProcessBuilder version =
        place.berth(place.newHome(), "--version").redirectError(ProcessBuilder.Redirect.INHERIT);
    return place.start(version).waitFor() == 0;
  }
}
