package dev.berth.server;

import dev.berth.client.BerthClient;
import dev.berth.control.FailPoint;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A real server on a free port with a client, for one test. */
final class RunningServer implements AutoCloseable {
  static final String PROJECT = "main";

  private final BerthServer server;
  private final String token;
  private final BerthClient client;
  private final HttpClient http = HttpClient.newHttpClient();

  RunningServer(Path home) throws IOException {
    this(home, Map.of(), (_, _) -> {});
  }

  /** One that may have to wait for another one. */
  RunningServer(Path home, Map<String, String> environment, BerthServer.Beginning beginning)
      throws IOException {
    server =
        BerthServer.start(
            new BerthServer.Settings(
                home,
                List.of(home.resolve("plugins")),
                "127.0.0.1",
                0,
                "admin",
                PROJECT,
                ServerFile.inHome(home),
                environment),
            FailPoint.Observer.NONE,
            beginning);
    token = Files.readString(home.resolve("token")).strip();
    client = new BerthClient(server.url(), token);
  }

  BerthClient client() {
    return client;
  }

  BerthServer server() {
    return server;
  }

  /** A request as any program could make it. */
  HttpResponse<String> request(String method, String path, @Nullable String body, boolean withToken)
      throws IOException, InterruptedException {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path)).method(method, publisher);
    if (withToken) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  static RunRequest task(String name, String... commands) {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "task");
    configuration.put("name", name);
    configuration.put("commands", List.of(commands));
    return new RunRequest(name, configuration);
  }

  RunView submit(RunRequest request) {
    return client.submit(PROJECT, request, UUID.randomUUID().toString());
  }

  /** Follows a run to its end and returns what it wrote to standard output. */
  byte[] outputOf(String run) {
    return outputOf(client, run);
  }

  /** The same, by any client. */
  static byte[] outputOf(BerthClient client, String run) {
    return outputOf(client, PROJECT, run);
  }

  /** The same, of any project. */
  static byte[] outputOf(BerthClient client, String project, String run) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    client.follow(
        project,
        run,
        0,
        new BerthClient.Position(),
        new BerthClient.Follower() {
          @Override
          public void stdout(byte[] bytes) {
            out.writeBytes(bytes);
          }

          @Override
          public void stderr(byte[] bytes) {
            // Only standard output is asked for.
          }
        });
    return out.toByteArray();
  }

  @Override
  public void close() {
    client.close();
    http.close();
    server.close();
  }
}
