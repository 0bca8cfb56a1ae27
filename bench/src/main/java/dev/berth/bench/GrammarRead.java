package dev.berth.bench;

import dev.berth.grammar.ConfigurationFile;
import dev.berth.grammar.ConfigurationReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Measures how many files a second are read, checked and filled with defaults. The peer only turns
 * the same text into maps.
 *
 * @param rounds how often a sample reads all files
 */
record GrammarRead(int rounds) implements Benchmark {
  /** Files as people write them, one or more of each kind. */
  static final List<String> FILES =
      List.of(
          "task-train.yml",
          "task-distributed.yml",
          "service-llm.yml",
          "service-groups.yml",
          "dev-environment.yml",
          "fleet-ssh.yml",
          "fleet-cloud.yml",
          "volume.yml",
          "gateway.yml",
          "profiles.yml");

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("grammar-read", "files/s", "snakeyaml-load"));
  }

  @Override
  public boolean needsDistribution() {
    return false;
  }

  @Override
  public Trial prepare(Workplace place) throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (String name : FILES) {
      files.add(load(name));
    }
    return new Trial() {
      @Override
      public double[] sample() throws IOException {
        long started = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
          for (byte[] file : files) {
            ConfigurationFile read =
                ConfigurationReader.read(file, ConfigurationReader.Defaults.FILLED);
            if (!read.isValid()) {
              throw new IOException("a file of the benchmark is not valid: " + read.errors());
            }
          }
        }
        return rate(files.size(), started);
      }

      @Override
      public double[] samplePeer() throws IOException {
        LoadSettings settings = LoadSettings.builder().build();
        long started = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
          for (byte[] file : files) {
            Object tree =
                new Load(settings).loadFromString(new String(file, StandardCharsets.UTF_8));
            if (tree == null) {
              throw new IOException("a file of the benchmark is empty");
            }
          }
        }
        return rate(files.size(), started);
      }
    };
  }

  private double[] rate(int files, long started) {
    return new double[] {(double) rounds * files / ((System.nanoTime() - started) / 1e9)};
  }

  static byte[] load(String name) throws IOException {
    try (InputStream in = GrammarRead.class.getResourceAsStream("configurations/" + name)) {
      if (in == null) {
        throw new IOException("the resource " + name + " is not there");
      }
      return in.readAllBytes();
    }
  }
}
