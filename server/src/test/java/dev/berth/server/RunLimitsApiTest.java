package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The limits of active runs, as clients meet them. */
@Timeout(120)
class RunLimitsApiTest {
  private static final String RUNS = "/projects/" + RunningServer.PROJECT + "/runs";

  @TempDir Path home;

  private static String task(String name) {
    return "{\"name\": \"%s\", \"configuration\": {\"type\": \"task\", \"commands\": [\"sleep 600\"], \"schedule\": {\"cron\": \"0 0 1 1 *\"}}}"
        .formatted(name);
  }

  @Test
  void manyAtOnceDoNotGetPastTheLimit() throws Exception {
    Files.writeString(home.resolve(ServerFile.NAME), "limits: {runs-per-user: 5}\n");
    try (RunningServer running = new RunningServer(home);
        Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      String ann = new People(running).member("ann", RunningServer.PROJECT, "user");
      List<Integer> statuses = new ArrayList<>();
      try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Sender.Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          String body = task("run-" + i);
          sent.add(clients.submit(() -> sender.send("POST", RUNS, body, ann)));
        }
        for (Future<Sender.Answer> one : sent) {
          statuses.add(one.get().status());
        }
      }
      assertThat(statuses).containsOnly(201, 429);
      assertThat(statuses).filteredOn(status -> status == 201).hasSize(5);
      Sender.Answer refused = sender.send("POST", RUNS, task("more"), ann);
      assertThat(refused.response().headers().firstValue("Retry-After")).contains("10");
      assertThat(refused.detail())
          .contains("the user 'ann' has 5 active runs, which is the limit", "server.yml");
      // Others are not concerned.
      running.outputOf(running.submit(RunningServer.task("other", "true")).id());
    }
  }

  @Test
  void theLimitHoldsAfterARestart() throws IOException {
    Files.writeString(home.resolve(ServerFile.NAME), "limits: {runs-per-project: 1}\n");
    String token;
    try (RunningServer running = new RunningServer(home);
        Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      token = Files.readString(home.resolve("token")).strip();
      assertThat(sender.send("POST", RUNS, task("first"), token).status()).isEqualTo(201);
    }
    try (RunningServer running = new RunningServer(home);
        Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      assertThat(sender.send("POST", RUNS, task("second"), token).status()).isEqualTo(429);
      running.client().stop(RunningServer.PROJECT, "first", true);
      assertThat(sender.send("POST", RUNS, task("second"), token).status()).isEqualTo(201);
    }
  }
}
