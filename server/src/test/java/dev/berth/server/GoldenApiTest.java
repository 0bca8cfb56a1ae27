package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.ArchiveManifest;
import dev.berth.model.Sha256;
import dev.berth.model.api.UploadChunk;
import dev.berth.model.api.UploadRequest;
import dev.berth.server.oidc.SigningKey;
import dev.berth.server.oidc.TestIssuer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Every route is asked once as people ask it, and what it answers is kept in a golden file: nobody
 * changes what others rely on without seeing it. {@link Placeholders} says what stands for times,
 * ids and the like.
 */
@Timeout(300)
class GoldenApiTest {
  private static final SigningKey KEY = SigningKey.rsa("k1");
  private static final String PROJECT = "/projects/{project}";

  /** They are asked by machines that know no refusal. */
  private static final Set<String> NEVER_REFUSE = Set.of("health", "ready");

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private TestIssuer issuer;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Placeholders placeholders;

  @SuppressWarnings("NullAway.Init") // set before each test
  private GoldenTalk talk;

  @BeforeEach
  void start() throws IOException {
    issuer = new TestIssuer(KEY);
    Files.writeString(
        home.resolve("server.yml"),
        "oidc:\n  issuer: " + issuer.name() + "\n  client-id: berth\n  create-users: true\n");
    server = new RunningServer(home);
    placeholders = new Placeholders();
    String machine =
        server
            .client()
            .plan("main", RunningServer.task("plan", "true"))
            .offers()
            .getFirst()
            .instanceType();
    placeholders.call("local/" + machine, "local machine");
    placeholders.call(home.toString(), "home");
    placeholders.call(issuer.name(), "issuer");
    placeholders.call(server.server().url(), "url");
    talk = new GoldenTalk(server.server().url(), placeholders);
    talk.introduce("admin", Files.readString(home.resolve("token")).strip());
  }

  @AfterEach
  void stop() {
    talk.close();
    server.close();
    issuer.close();
  }

  private JsonNode admin(String route, @Nullable Object body, String... values) {
    return talk.ask("admin", route, body, values);
  }

  private JsonNode nobody(String route, @Nullable Object body, String... values) {
    return talk.ask("nobody", route, body, values);
  }

  @Test
  void everyRouteAnswersAsItsGoldenFileSays() throws IOException {
    talkAboutPeople();
    talkAboutSecrets();
    talkAboutBackends();
    talkAboutRuns();
    talkAboutFleets();
    talkAboutUploads();
    talkAboutTheServer();
    talkAboutLeaving();
    Map<String, List<Object>> said = talk.said();
    assertThat(said.keySet())
        .as("every route is asked, and nothing else")
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of("GET /openapi.json"),
                    server.server().routes().stream()
                        .map(route -> route.method() + " " + route.path()))
                .toList());
    assertThat(refusing(said))
        .as("every family of routes shows how it refuses")
        .containsAll(families());
    SortedMap<String, String> files = new TreeMap<>();
    said.forEach(
        (route, exchanges) ->
            files.put(fileName(route), GoldenFiles.text(Map.of(route, exchanges))));
    assertThat(files).as("no two routes share a file").hasSameSizeAs(said.keySet());
    GoldenFiles.require(files);
  }

  private static String fileName(String route) {
    return route.toLowerCase(Locale.ROOT).replaceAll("[^a-z.]+", "-").replaceAll("-$", "")
        + ".json";
  }

  /** What a route is about: the first word of its path, or the first after the project. */
  private static String family(String path) {
    String rest = path.startsWith(PROJECT + "/") ? path.substring(PROJECT.length()) : path;
    return rest.substring(1).replaceFirst("/.*", "");
  }

  private Set<String> families() {
    Set<String> families =
        server.server().routes().stream()
            .map(route -> family(route.path()))
            .collect(Collectors.toCollection(TreeSet::new));
    families.removeAll(NEVER_REFUSE);
    return families;
  }

  private static Set<String> refusing(Map<String, List<Object>> said) {
    return said.entrySet().stream()
        .filter(one -> GoldenFiles.text(one.getValue()).contains("application/problem+json"))
        .map(one -> family(one.getKey().substring(one.getKey().indexOf(' ') + 1)))
        .collect(Collectors.toSet());
  }

  private void talkAboutPeople() {
    nobody("GET /users", null);
    admin("POST /users", Map.of("name", "ann", "role", "user"));
    admin("POST /users", Map.of("name", "no spaces"));
    admin("POST /users/{user}", Map.of("role", "admin"), "ann");
    admin("POST /users/{user}", Map.of("role", "user"), "ann");
    admin("GET /users", null);
    admin("POST /projects", Map.of("name", "lab"));
    admin("POST /projects", Map.of("name", "lab"));
    admin("POST /projects/{project}/members", Map.of("user", "ann", "role", "user"), "lab");
    admin("POST /projects/{project}/members", Map.of("user", "bob", "role", "user"), "lab");
    admin("GET /projects/{project}/members", null, "lab");
    admin("GET /projects/{project}/events?limit=2", null, "lab");
    admin("GET /projects/{project}/events?limit=0", null, "lab");
    admin("GET /events?after=1&limit=2", null);
    JsonNode issued = admin("POST /tokens", Map.of("name", "laptop", "user", "ann"));
    talk.introduce("ann", issued.get("secret").asString());
    talk.ask("ann", "GET /projects", null);
    talk.ask("ann", "GET /tokens", null);
    talk.ask("ann", "GET /events", null);
    talk.ask("ann", "GET /info", null);
    nobody("GET /info", null);
  }

  private void talkAboutSecrets() {
    admin("POST /projects/{project}/secrets", Map.of("name", "key", "value", "abc"), "lab");
    admin("POST /projects/{project}/secrets", Map.of("name", "key", "value", ""), "lab");
    talk.ask("ann", "GET /projects/{project}/secrets", null, "lab");
    admin("GET /projects/{project}/secrets", null, "lab");
    admin("GET /projects/{project}/secrets/{secret}", null, "lab", "key");
    admin("POST /projects/{project}/secrets/{secret}/reveal", null, "lab", "key");
    admin("DELETE /projects/{project}/secrets/{secret}", null, "lab", "key");
    admin("DELETE /projects/{project}/secrets/{secret}", null, "lab", "key");
  }

  private void talkAboutBackends() {
    nobody("GET /backend-types", null);
    admin("GET /backend-types", null);
    Map<String, Object> cloud =
        Map.of(
            "name",
            "cloud",
            "type",
            "sim",
            "config",
            Map.of(
                "gives",
                "machines",
                "state",
                "memory",
                "creds",
                Map.of("type", "api_key", "api_key", "abc"),
                "scenario",
                Map.of("boot_time", "1s", "delete_time", "1s")));
    admin("POST /projects/{project}/backends/suggest", cloud, "main");
    admin("POST /projects/{project}/backends", cloud, "main");
    admin(
        "POST /projects/{project}/backends",
        Map.of("name", "other", "type", "sim", "config", Map.of("colour", "red")),
        "main");
    admin("GET /projects/{project}/backends", null, "main");
    admin("POST /projects/{project}/backends/{backend}/check", null, "main", "cloud");
    admin("DELETE /projects/{project}/backends/{backend}", null, "main", "local");
    admin(
        "POST /projects/{project}/offers",
        Map.of("instance_types", List.of("sim-cpu-8"), "max_offers", 2),
        "main");
    admin("POST /projects/{project}/offers", Map.of("gpu", "80GB:40GB"), "main");
  }

  private static Map<String, Object> task(String name, Map<String, Object> more) {
    Map<String, Object> configuration = new TreeMap<>(more);
    configuration.put("type", "task");
    configuration.put("name", name);
    configuration.put("commands", List.of("echo hello"));
    return Map.of("configuration", configuration, "name", name);
  }

  private void talkAboutRuns() {
    Map<String, Object> yearly =
        task("yearly", Map.of("schedule", Map.of("cron", List.of("0 0 1 1 *"))));
    Map<String, Object> bought =
        task(
            "bought", Map.of("backends", List.of("cloud"), "instance_types", List.of("sim-cpu-8")));
    admin("POST /projects/{project}/runs/plan", bought, "main");
    admin("POST /projects/{project}/runs/explain", bought, "main");
    admin("POST /projects/{project}/runs", yearly, "main");
    admin("POST /projects/{project}/runs", task("No Name", Map.of()), "main");
    admin("GET /projects/{project}/runs/{run}/explain", null, "main", "yearly");
    admin("DELETE /projects/{project}/runs/{run}", null, "main", "yearly");
    admin("POST /projects/{project}/runs/{run}/stop", Map.of("abort", false), "main", "yearly");
    server.submit(RunningServer.task("hello", "echo hello", "echo oh >&2", "exit 3"));
    server.outputOf("hello");
    admin("GET /projects/{project}/runs/{run}/follow", null, "main", "hello");
    admin("GET /projects/{project}/runs/{run}/logs/{stream}", null, "main", "hello", "stdout");
    admin("GET /projects/{project}/runs/{run}/logs/{stream}", null, "main", "hello", "stdin");
    admin("GET /projects/{project}/runs/{run}/exec?command=true", null, "main", "hello");
    admin("GET /projects/{project}/runs/{run}/connect/{port}", null, "main", "hello", "8080");
    admin("GET /projects/{project}/runs?all=true", null, "main");
    admin("GET /projects/{project}/runs/{run}", null, "main", "hello");
    admin("GET /projects/{project}/runs/{run}/usage", null, "main", "hello");
    admin("GET /projects/{project}/runs/{run}/progress", null, "main", "hello");
    admin("DELETE /projects/{project}/runs/{run}", null, "main", "hello");
    admin("GET /projects/{project}/runs/{run}", null, "main", "hello");
  }

  private void talkAboutFleets() {
    Map<String, Object> pool =
        Map.of(
            "name",
            "pool",
            "configuration",
            Map.of(
                "type",
                "fleet",
                "name",
                "pool",
                "nodes",
                1,
                "backends",
                List.of("cloud"),
                "instance_types",
                List.of("sim-cpu-8")));
    admin("POST /projects/{project}/fleets/plan", pool, "main");
    admin("POST /projects/{project}/fleets", pool, "main");
    admin(
        "POST /projects/{project}/fleets",
        Map.of("configuration", Map.of("type", "fleet", "nodes", "x")),
        "main");
    Await.until(() -> server.client().fleet("main", "pool").fleet().nodes().idle() == 1);
    admin("GET /projects/{project}/fleets", null, "main");
    admin("GET /projects/{project}/fleets/{fleet}", null, "main", "pool");
    admin("DELETE /projects/{project}/fleets/{fleet}", null, "main", "pool");
    Await.until(() -> server.client().fleets("main").fleets().isEmpty());
    admin("DELETE /projects/{project}/backends/{backend}", null, "main", "cloud");
  }

  private void talkAboutUploads() {
    byte[] bytes = "print('hello')\n".getBytes(StandardCharsets.UTF_8);
    String digest = Sha256.of(bytes);
    UploadRequest archive = new UploadRequest(List.of(new UploadChunk(digest, bytes.length)));
    admin("POST /projects/{project}/uploads", archive, "main");
    admin("PUT /projects/{project}/uploads/chunks/{chunk}", bytes, "main", digest);
    admin("PUT /projects/{project}/uploads/chunks/{chunk}", new byte[] {'x'}, "main", digest);
    admin("POST /projects/{project}/uploads", archive, "main");
    admin(
        "POST /projects/{project}/uploads",
        new UploadRequest(List.of(new UploadChunk(digest, ArchiveManifest.CHUNK_BYTES + 1L))),
        "main");
  }

  private void talkAboutTheServer() {
    nobody("GET /health", null);
    nobody("GET /ready", null);
    nobody("GET /metrics", null);
    admin("GET /metrics", null);
    talk.ask("ann", "GET /doctor", null);
    admin("GET /doctor", null);
    nobody("GET /openapi.json", null);
  }

  private void talkAboutLeaving() {
    nobody("GET /login", null);
    String idToken = KEY.token(issuer.claims("eve@example.com", Instant.now().getEpochSecond()));
    placeholders.call(idToken, "id token");
    nobody("POST /login/oidc", Map.of("id_token", "wrong"));
    JsonNode entered =
        nobody("POST /login/oidc", Map.of("id_token", idToken, "token_name", "phone"));
    talk.introduce("eve", entered.get("secret").asString());
    talk.ask("eve", "POST /logout", null);
    talk.ask("eve", "POST /logout", null);
    talk.ask("ann", "DELETE /tokens/{token}", null, "phone");
    talk.ask("ann", "DELETE /tokens/{token}", null, "laptop");
    admin("DELETE /projects/{project}/members/{user}", null, "lab", "ann");
    admin("DELETE /users/{user}", null, "ann");
    admin("DELETE /users/{user}", null, "admin");
    admin("DELETE /projects/{project}", null, "main");
    admin("DELETE /projects/{project}", null, "lab");
  }
}
