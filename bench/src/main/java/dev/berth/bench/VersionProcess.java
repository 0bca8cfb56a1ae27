package dev.berth.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Measures the shortest command beside that of dstack: what starting costs before any work. */
record VersionProcess(String searchPath) implements Benchmark {
  private static final String PEER = "dstack";

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("version-process", "ms", PEER));
  }

  @Override
  public Optional<String> missing(Path root) {
    return find().isPresent()
        ? Optional.empty()
        : Optional.of("there is no " + PEER + " on the path; pip install dstack brings one");
  }

  private Optional<Path> find() {
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(searchPath)
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, PEER))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @Override
  public Trial prepare(Workplace place) throws IOException {
    Path home = place.newHome();
    String dstack = find().orElseThrow().toString();
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        return new double[] {place.wallMillis(place.berth(home, "--version"))};
      }

      @Override
      public double[] samplePeer() throws IOException, InterruptedException {
        return new double[] {
          place.wallMillis(
              new ProcessBuilder(dstack, "--version")
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .redirectError(ProcessBuilder.Redirect.DISCARD))
        };
      }
    };
  }
}
