package dev.berth.bench;

import dev.berth.client.BerthClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An embedded server with a home of its own, started as the first command of a user starts it. */
final class TemporaryServer implements AutoCloseable {
  static final String PROJECT = "main";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final long END_WITHIN_SECONDS = 15;

  private final Path home;
  private final ProcessHandle process;
  private final String url;
  private final String token;
  private final BerthClient client;

  private TemporaryServer(Path home, ProcessHandle process, String url, String token) {
    this.home = home;
    this.process = process;
    this.url = url;
    this.token = token;
    this.client = new BerthClient(url, token);
  }

  static TemporaryServer start(Workplace place) throws IOException, InterruptedException {
    return start(place, place.newHome(), null);
  }

  /**
   * Starts one in a home where something may be already.
   *
   * @param database where its state is kept; null for SQLite in its home
   */
  static TemporaryServer start(Workplace place, Path home, @Nullable TemporaryPostgres database)
      throws IOException, InterruptedException {
    ProcessBuilder first = place.berth(home, "ps");
    if (database != null) {
      first.environment().put("BERTH_DATABASE_URL", database.url());
    }
    place.wallMillis(first);
    JsonNode file = MAPPER.readTree(Files.readAllBytes(home.resolve("embedded.json")));
    ProcessHandle process =
        ProcessHandle.of(file.path("pid").asLong())
            .orElseThrow(() -> new IOException("the embedded server ended at once"));
    String token = Files.readString(home.resolve("token")).strip();
    return new TemporaryServer(home, process, file.path("url").asString(), token);
  }

  Path home() {
    return home;
  }

  long pid() {
    return process.pid();
  }

  /** The time that the server's threads have had on processors so far. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The memory that the machine gives the server now. */
  double residentMegabytes() throws IOException {
    return ServerIdleMemory.residentMegabytes(
        Files.readString(Path.of("/proc/" + pid() + "/status")));
  }

  /** The sum of a metric over all of its labels. */
  double metric(String name) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/metrics"))
            .header("Authorization", "Bearer " + token)
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return sum(http.send(request, HttpResponse.BodyHandlers.ofString()).body(), name);
    }
  }

  static double sum(String page, String name) {
    return page.lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  BerthClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    end(process);
  }

  /** Asks a server to end and waits for it; one that does not is killed. */
  static void end(ProcessHandle process) {
    process.destroy();
    try {
      process.onExit().get(END_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
    }
  }
}
