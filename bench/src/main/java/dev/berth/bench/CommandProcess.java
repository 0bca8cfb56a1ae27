package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures a command from its start to its end, as a person at a terminal waits for it.
 *
 * @param withServer whether an embedded server runs before the first sample
 */
record CommandProcess(String name, boolean withServer, List<String> arguments)
    implements Benchmark {
  CommandProcess {
    arguments = List.copyOf(arguments);
  }

  @Override
  public List<Figure> figures() {
    return List.of(new Figure(name, "ms", JvmFloor.NAME));
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    TemporaryServer server = withServer ? TemporaryServer.start(place) : null;
    Path home = server == null ? place.newHome() : server.home();
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        return new double[] {place.wallMillis(place.berth(home, arguments.toArray(String[]::new)))};
      }

      @Override
      public double[] samplePeer() throws IOException, InterruptedException {
        return new double[] {JvmFloor.wallMillis(place)};
      }

      @Override
      public void close() {
        if (server != null) {
          server.close();
        }
      }
    };
  }
}
