package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Whoever follows one of the two pages on adding a backend, of machines or of containers, has a
 * backend on which a task has run. Projects are made outside of the repository and built by Maven
 * with a local repository that has nothing of Berth.
 */
@Order(1)
class AddingABackendTest {
  /** As the pages say. */
  private static final int FEWER_MACHINE_LINES = 300;

  private static final int FEWER_CONTAINER_LINES = 350;

  /** A reader of pages that finds nothing would find nothing wrong either. */
  private static final int MACHINE_STEPS = 38;

  private static final int CONTAINER_STEPS = 30;

  private static AuthorTerminal terminal;

  @BeforeAll
  static void open() throws IOException {
    terminal = AuthorTerminal.open();
  }

  @AfterAll
  static void close() throws IOException {
    terminal.close();
  }

  private static Path page(String name) {
    return Distribution.root().resolve("docs/backends").resolve(name);
  }

  @Test
  void thePageLeadsToABackendThatKeepsTheContractAndRunsATask() throws IOException {
    Map<String, String> berth = checksums(Distribution.home());
    Path here = terminal.folder("page");
    AuthorProject project = new AuthorProject(here.resolve("harbour"));
    List<Tutorial.Step> steps = Tutorial.read(page("adding-a-backend.md")).steps();
    String said = new TutorialReader(terminal).follow(steps, here, project);
    assertThat(said).as("what the fake tells").containsOnlyOnce("created").endsWith("m-1 gone\n");
    assertThat(steps).hasSizeGreaterThanOrEqualTo(MACHINE_STEPS);
    assertThat(project.linesOfCode()).isLessThan(FEWER_MACHINE_LINES);
    assertThat(terminal.type("berth backend docs harbour", here).expect(0).out())
        .contains("HARBOUR_API_KEY", "`creds.api_key`", "`regions`");
    wrongSettingsAreNamed(project);
    verifyAsksBeforeItCosts(project);
    assertThat(checksums(Distribution.home())).isEqualTo(berth);
  }

  /** The fake has ended, and the first settings of a newcomer are wrong. */
  private static void wrongSettingsAreNamed(AuthorProject project) {
    String add = "berth backend add harbour -f settings.yml";
    assertThat(terminal.type(add, project.folder()).expect(1).err())
        .contains(
            "Harbour does not answer at http://127.0.0.1:" + terminal.port() + ": no connection");
    RunningCommand fake =
        terminal.start(
            "exec java -cp target/test-classes:target/berth-backend-harbour.jar"
                + " berth.backend.harbour.FakeHarbourServer",
            project.folder());
    try {
      fake.awaitOut("listens on ");
      String address = fake.out().replaceAll("(?s).*listens on ([^,]+),.*", "$1");
      project.write(
          "settings.yml",
          "creds:\n  type: api_key\n  api_key: a-wrong-key\nendpoint: " + address + "\n");
      assertThat(terminal.type(add, project.folder()).expect(65).err())
          .contains("'creds' is not accepted: Harbour says: this key is not known");
    } finally {
      ProcessTable.signal("TERM", fake.process().pid());
      fake.await();
    }
  }

  private static void verifyAsksBeforeItCosts(AuthorProject project) {
    String verify = "berth backend verify --jar target/berth-backend-harbour.jar -f settings.yml";
    project.write("settings.yml", "creds:\n  type: api_key\n  api_key: a-key\n");
    assertThat(terminal.type(verify, project.folder()).expect(64).err())
        .contains("may cost money", "-y");
    project.write("settings.yml", "creds:\n  type: api_key\n");
    assertThat(terminal.type(verify, project.folder()).expect(65).err())
        .contains("settings.yml:1:1: 'creds.api_key' is missing");
  }

  @Test
  void thePageOnContainersDoesSo() throws IOException {
    Path here = terminal.folder("containers");
    AuthorProject project = new AuthorProject(here.resolve("lagoon"));
    List<Tutorial.Step> steps = Tutorial.read(page("adding-a-container-backend.md")).steps();
    String said = new TutorialReader(terminal).follow(steps, here, project);
    assertThat(said)
        .as("what the fake tells")
        .containsOnlyOnce("started")
        .endsWith("job 1 deleted\n");
    assertThat(steps).hasSizeGreaterThanOrEqualTo(CONTAINER_STEPS);
    assertThat(project.linesOfCode()).isLessThan(FEWER_CONTAINER_LINES);
  }

  /** All files under a folder, with what is in them. */
  private static Map<String, String> checksums(Path folder) throws IOException {
    Map<String, String> sums = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sums.put(
            folder.relativize(file).toString(),
            HexFormat.of().formatHex(sha256().digest(Files.readAllBytes(file))));
      }
    }
    return sums;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
