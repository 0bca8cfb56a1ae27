package dev.berth.bench;

import dev.berth.bench.Benchmark.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes samples of a benchmark and of its peer in turns, so that whatever else the machine does
 * reaches both.
 *
 * @param warmUps samples that are thrown away
 * @param samples samples that the median is made of
 */
record Harness(int warmUps, int samples) {
  static final Harness STANDARD = new Harness(1, 5);

  List<Result> run(Benchmark benchmark, Workplace place) throws IOException, InterruptedException {
    List<double[]> ours = new ArrayList<>();
    List<double[]> peers = new ArrayList<>();
    try (Trial trial = benchmark.prepare(place)) {
      for (int round = 0; round < warmUps + samples; round++) {
        double[] sample = trial.sample();
        double[] peer = trial.samplePeer();
        if (round >= warmUps) {
          ours.add(sample);
          peers.add(peer);
        }
      }
    }
    List<Figure> figures = benchmark.figures();
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < figures.size(); i++) {
      Figure figure = figures.get(i);
      results.add(
          new Result(figure, median(ours, i), figure.peer() == null ? null : median(peers, i)));
    }
    return results;
  }

  private static double median(List<double[]> samples, int column) {
    return Statistics.median(samples.stream().mapToDouble(sample -> sample[column]).toArray());
  }
}
