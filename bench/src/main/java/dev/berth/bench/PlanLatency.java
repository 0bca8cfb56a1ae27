package dev.berth.bench;

import dev.berth.client.BerthClient;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a plan takes over HTTP where all published offers stand in the catalog, with
 * requirements that take turns. A server gives an answer of a backend again for some seconds, so
 * some of them are new: their plans wait until the catalog was searched.
 */
record PlanLatency(int plans) implements Benchmark {
  /** One in so many plans is for what nobody asked for before; not always for the same. */
  private static final int NEW_EVERY = 19;

  /** No published price is higher, so that prices of this size leave nothing out. */
  private static final double HIGH_PRICE = 10_000;

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("plan-p50", "ms", null), new Figure("plan-p99", "ms", null));
  }

  @Override
  public Optional<String> missing(Path root) {
    return PublishedOffers.missing(root);
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    TemporaryServer server = start(place);
    Planning planning = new Planning(server.client());
    return new Trial() {
      @Override
      public double[] sample() {
        double[] millis = planning.millis(plans);
        return new double[] {Statistics.percentile(50, millis), Statistics.percentile(99, millis)};
      }

      @Override
      public double[] samplePeer() {
        return new double[0];
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private static TemporaryServer start(Workplace place) throws IOException, InterruptedException {
    Path home = place.newHome();
    CatalogCloud cloud = CatalogCloud.fill(home, PublishedOffers.folder(place.root()));
    TemporaryServer server = TemporaryServer.start(place, home, null);
    boolean good = false;
    try {
      cloud.addTo(server.client());
      for (Map<String, @Nullable Object> question : PlanQuestions.all()) {
        requireOffers(server.client(), question);
      }
      good = true;
      return server;
    } finally {
      if (!good) {
        server.close();
      }
    }
  }

  /** A plan without offers is another and quicker one. */
  private static void requireOffers(
      BerthClient client, Map<String, @Nullable Object> configuration) {
    if (client
        .plan(TemporaryServer.PROJECT, new RunRequest(null, configuration))
        .offers()
        .isEmpty()) {
      throw new IllegalStateException("there are no offers for " + configuration);
    }
  }

  /** Asks for plans, one after the other. */
  private static final class Planning {
    private final BerthClient client;
    private final List<Map<String, @Nullable Object>> questions = PlanQuestions.all();
    private int asked;

    Planning(BerthClient client) {
      this.client = client;
    }

    double[] millis(int plans) {
      double[] millis = new double[plans];
      for (int i = 0; i < plans; i++) {
        RunRequest request = new RunRequest(null, next());
        long began = System.nanoTime();
        client.plan(TemporaryServer.PROJECT, request);
        millis[i] = (System.nanoTime() - began) / 1e6;
      }
      return millis;
    }

    private Map<String, @Nullable Object> next() {
      Map<String, @Nullable Object> next = questions.get(asked % questions.size());
      if (asked++ % NEW_EVERY == 0) {
        next = new HashMap<>(next);
        next.put("max_price", HIGH_PRICE + asked);
      }
      return next;
    }
  }

  @Override
  public List<String> profile(Workplace place) throws IOException, InterruptedException {
    try (TemporaryServer server = start(place)) {
      Planning planning = new Planning(server.client());
      planning.millis(plans);
      ServerProfile profile = ServerProfile.start(server.pid(), place.folder());
      planning.millis(plans);
      return profile.end();
    }
  }
}
