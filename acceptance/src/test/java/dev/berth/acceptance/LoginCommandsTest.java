package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logging in and out with an identity provider, as users do it. */
@Timeout(900)
class LoginCommandsTest {
  private static final Pattern LISTENING = Pattern.compile("listening on (http://[0-9.:]+)");

  @SuppressWarnings("NullAway.Init") // set before each test
  private DeviceIssuer issuer;

  @SuppressWarnings("NullAway.Init") // set before each test
  private TestHome admin;

  @SuppressWarnings("NullAway.Init") // set before each test
  private TestHome ann;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningCommand server;

  @SuppressWarnings("NullAway.Init") // set before each test
  private String url;

  @BeforeEach
  void start() throws IOException {
    issuer = new DeviceIssuer();
    admin = TestHome.fresh();
    ann = TestHome.fresh();
    start(
        "oidc:\n  issuer: "
            + issuer.name()
            + "\n  client-id: berth\n  create-users: true\n  allowed-domains: [example.com]\n");
  }

  private void start(String file) throws IOException {
    Files.createDirectories(admin.folder());
    Files.writeString(admin.folder().resolve("server.yml"), file);
    server = admin.startProgram(Distribution.teamServer(admin.scratch()), admin.scratch());
    server.awaitOut("listening on");
    Matcher said = LISTENING.matcher(server.out());
    assertThat(said.find()).isTrue();
    url = said.group(1);
  }

  private void stopServer() {
    server.process().destroy();
    server.await();
  }

  @AfterEach
  void stop() {
    stopServer();
    ann.close();
    admin.close();
    issuer.close();
  }

  /** A login that shows its code. */
  private RunningCommand begin() {
    return ann.startAtTheTerminal("login", "--server", url).awaitErr("press Ctrl-C to cancel");
  }

  private Path settings() {
    return ann.folder().resolve("client.json");
  }

  @Test
  void aPersonLogsInByABrowserElsewhereAndOutAgain() throws IOException {
    RunningCommand login = begin();
    assertThat(login.err())
        .contains(issuer.name() + "/activate\n", DeviceIssuer.CODE, "/activate?user_code=");
    Await.until("it asks whether the person is done", () -> issuer.asked() > 0);
    issuer.person("ann@example.com");
    assertThat(login.await().expect(0).out())
        .startsWith("logged in to " + url + " as ann@example.com until ");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(settings())))
        .isEqualTo("rw-------");
    assertThat(ann.berth("token", "list", "--json").json().get("tokens")).hasSize(1);
    assertThat(ann.berth("user", "list").expect(77).err()).contains("global admin");
    String token = storedToken();
    assertThat(ann.berth("logout").expect(0).out()).isEqualTo("logged out of " + url + "\n");
    assertThat(Files.readString(settings())).doesNotContain("berth_");
    assertThat(ann.berth("logout").expect(0).err()).contains("you are not logged in");
    assertThat(ann.set("BERTH_TOKEN", token).berth("project", "list").expect(77).err())
        .contains("was revoked");
  }

  private String storedToken() throws IOException {
    Matcher token =
        Pattern.compile("berth_[A-Za-z0-9_-]{43}").matcher(Files.readString(settings()));
    assertThat(token.find()).isTrue();
    return token.group();
  }

  @Test
  void whoIsRefusedKeepsWhatWasStored() {
    issuer.person("access_denied");
    assertThat(ann.berth("login", "--server", url).expect(77).err()).contains("was denied");
    issuer.person("expired_token");
    assertThat(ann.berth("login", "--server", url).expect(1).err()).contains("in time");
    issuer.person("eve@other.org");
    assertThat(ann.berth("login", "--server", url).expect(77).err())
        .contains("may not use this server");
    assertThat(settings()).doesNotExist();
  }

  @Test
  void interruptingEndsQuietly() {
    RunningCommand login = begin();
    ProcessTable.signal("INT", login.process().pid());
    FinishedCommand ended = login.await().expect(130);
    assertThat(ended.err()).endsWith("press Ctrl-C to cancel\n");
    assertThat(ended.out()).isEmpty();
    assertThat(settings()).doesNotExist();
  }

  @Test
  void aServerThatIsGoneKeepsTheTokenAndOneWithoutProviderSaysWhatToDo() throws IOException {
    issuer.person("ann@example.com");
    ann.berth("login", "--server", url).expect(0);
    String before = storedToken();
    stopServer();
    assertThat(ann.berth("logout").expect(69).err())
        .contains("could not be revoked, and is kept", "berth config --token ''");
    assertThat(storedToken()).isEqualTo(before);
    assertThat(ann.berth("login").expect(69).err()).contains("no server answers");
    start("server: {own-machine: true}\n");
    assertThat(ann.berth("login", "--server", url).expect(77).err())
        .contains("has no identity provider", "berth config --url " + url + " --token TOKEN");
    assertThat(admin.berth("login").expect(64).err()).contains("berth login --server URL");
    assertThat(ann.berth("login", "--server", "berth.example.com").expect(64).err())
        .contains("--server takes an address");
  }
}
