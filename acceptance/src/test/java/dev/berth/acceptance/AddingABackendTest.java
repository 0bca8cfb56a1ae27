package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Whoever follows {@code docs/backends/adding-a-backend.md} has a backend on which a task has run.
 * Projects are made outside of the repository and built by Maven with a local repository that has
 * nothing of Berth.
 */
@Order(1)
class AddingABackendTest {
  private static final Path PAGE = Distribution.root().resolve("docs/backends/adding-a-backend.md");

  private static final String TO_DO = "To be implemented or mended, in order:\n";
  private static final int FEWER_LINES_THAN = 300;

  private static AuthorTerminal terminal;

  @BeforeAll
  static void open() throws IOException {
    terminal = AuthorTerminal.open();
  }

  @AfterAll
  static void close() throws IOException {
    terminal.close();
  }

  @Test
  void thePageLeadsToABackendThatKeepsTheContractAndRunsATask() throws IOException {
    Map<String, String> berth = checksums(Distribution.home());
    Path here = terminal.folder("page");
    AuthorProject project = new AuthorProject(here.resolve("harbour"));
    List<Tutorial.Step> steps = Tutorial.read(PAGE).steps();
    String said = follow(steps, here, project);
    assertThat(said).as("what the fake tells").containsOnlyOnce("created").endsWith("m-1 gone\n");
    // A reader of pages that finds nothing would find nothing wrong either.
    assertThat(steps).hasSizeGreaterThanOrEqualTo(38);
    assertThat(project.linesOfCode()).isLessThan(FEWER_LINES_THAN);
    assertThat(terminal.type("berth backend docs harbour", here).expect(0).out())
        .contains("HARBOUR_API_KEY", "`creds.api_key`", "`regions`");
    wrongSettingsAreNamed(project);
    verifyAsksBeforeItCosts(project);
    assertThat(checksums(Distribution.home())).isEqualTo(berth);
  }

  /** Does all that the page says; returns what the commands in other terminals have written. */
  private static String follow(List<Tutorial.Step> steps, Path here, AuthorProject project) {
    List<RunningCommand> started = new ArrayList<>();
    String shown = "";
    try {
      for (Tutorial.Step step : steps) {
        switch (step) {
          case Tutorial.Step.Run(String script) -> {
            Path folder = Files.exists(project.folder()) ? project.folder() : here;
            shown = terminal.type(script, folder).expect(0).out();
          }
          case Tutorial.Step.Shows(List<String> lines) -> assertShown(shown, lines);
          case Tutorial.Step.Until(String script, List<String> lines) ->
              shown = awaitShown(script, lines, project);
          case Tutorial.Step.Start(String script) ->
              started.add(terminal.start("exec " + script, project.folder()));
          case Tutorial.Step.Says(List<String> lines) ->
              started.getLast().awaitOut(terminal.adapted(String.join("\n", lines)));
          case Tutorial.Step.Next(String text) ->
              assertThat(firstToDo(terminal.type("mvn -q test", project.folder())))
                  .startsWith(text);
          case Tutorial.Step.WholeFile(String path, String text) ->
              project.write(path, terminal.adapted(text));
          case Tutorial.Step.Method(String path, String name, String text) ->
              project.replaceMethod(path, name, text);
        }
      }
    } finally {
      started.forEach(one -> ProcessTable.signal("TERM", one.process().pid()));
      started.forEach(RunningCommand::await);
    }
    return started.stream().map(RunningCommand::out).collect(Collectors.joining());
  }

  private static void assertShown(String shown, List<String> lines) {
    assertThat(isShown(shown, lines)).as("%s, in order, in:%n%s", lines, shown).isTrue();
  }

  /** Whether all lines are parts of lines that are shown, in their order. */
  private static boolean isShown(String shown, List<String> lines) {
    Iterator<String> all = shown.lines().map(AddingABackendTest::spaced).iterator();
    return lines.stream().map(AddingABackendTest::spaced).allMatch(line -> finds(all, line));
  }

  private static boolean finds(Iterator<String> lines, String wanted) {
    while (lines.hasNext()) {
      if (lines.next().contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private static String awaitShown(String script, List<String> lines, AuthorProject project) {
    AtomicReference<FinishedCommand> last = new AtomicReference<>();
    Await.until(
        "success of " + script,
        () -> {
          last.set(terminal.type(script, project.folder()));
          return last.get().exitCode() == 0 && isShown(last.get().out(), lines);
        },
        () -> last.get().out() + last.get().err());
    return last.get().out();
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
  void aProjectForContainersBuildsSaysWhatIsMissingAndCanBeFinished() throws IOException {
    Path here = terminal.folder("containers");
    String make = "berth backend new ExampleXYZ --container\ncd example-xyz\n";
    terminal.type(make + "mvn -q package -DskipTests", here).expect(0);
    AuthorProject project = new AuthorProject(here.resolve("example-xyz"));
    assertThat(project.folder().resolve("target/berth-backend-example-xyz.jar")).isNotEmptyFile();
    assertThat(firstToDo(terminal.type("mvn -q test", project.folder())))
        .contains("check-accepts-the-configuration", "check is not implemented yet");

    finishForContainers(project);
    terminal.type("mvn -q package", project.folder()).expect(0);
  }

  /** Settings and offers are written as on the page; how jobs run is the example's own. */
  private static void finishForContainers(AuthorProject project) {
    for (Tutorial.Step step : Tutorial.read(PAGE).steps()) {
      switch (step) {
        case Tutorial.Step.WholeFile(String path, String text) when path.endsWith(".java") ->
            project.write(renamed(path), renamed(text));
        case Tutorial.Step.Method(String path, String name, String text)
            when path.endsWith("HarbourBackendType.java") ->
            project.replaceMethod(renamed(path), name, renamed(text));
        case Tutorial.Step.Method _, Tutorial.Step.WholeFile _, Tutorial.Step.Run _ -> {}
        case Tutorial.Step.Next _, Tutorial.Step.Shows _, Tutorial.Step.Until _ -> {}
        case Tutorial.Step.Start _, Tutorial.Step.Says _ -> {}
      }
    }
    project.write(
        "src/main/java/berth/backend/examplexyz/ExampleXyzRuntime.java",
        resource("ExampleXyzRuntime.java.txt"));
  }

  private static String renamed(String text) {
    return text.replace("Harbour", "ExampleXyz").replace("harbour", "examplexyz");
  }

  private static String resource(String name) {
    try (InputStream in = AddingABackendTest.class.getResourceAsStream(name)) {
      return new String(
          Objects.requireNonNull(in, "the resource is there").readAllBytes(),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The head of the kit's list, with the first entry. */
  private static String firstToDo(FinishedCommand test) {
    String out = test.out();
    int start = out.indexOf(TO_DO);
    assertThat(start).as("a list of what is to do in:%n%s", out).isNotNegative();
    return out.substring(start, out.indexOf('\n', start + TO_DO.length()));
  }

  private static String spaced(String text) {
    return text.strip().replaceAll("[ \\t]+", " ");
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
