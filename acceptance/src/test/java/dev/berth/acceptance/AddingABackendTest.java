package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Whoever follows {@code docs/backends/adding-a-backend.md} has a backend. Projects are made
 * outside of the repository and built by Maven with a local repository that has nothing of Berth.
 */
@Order(1)
class AddingABackendTest {
  private static final Path PAGE = Distribution.root().resolve("docs/backends/adding-a-backend.md");

  /** Maven brings plug-ins from the network the first time. */
  private static final Duration BUILD = Duration.ofMinutes(10);

  private static final String TO_DO = "To be implemented or mended, in order:\n";
  private static final int FEWER_LINES_THAN = 300;

  private static Path base;

  @BeforeAll
  static void makeTools() throws IOException {
    // The tests' own temporary folder lies inside of the repository.
    base = Files.createTempDirectory(Path.of("/tmp"), "berth-author");
    Files.createDirectory(base.resolve("bin"));
    Path repository = Files.createDirectory(base.resolve("maven-repository"));
    String known = System.getProperty("berth.local.repository", "");
    if (!known.isEmpty()) {
      KnownArtifacts.bring(Path.of(known), repository);
    }
    tool("berth", Distribution.command());
    tool(
        "mvn", List.of(onPath("mvn").toString(), "-B", "-ntp", "-Dmaven.repo.local=" + repository));
  }

  /** A command with arguments of its own before those that are typed. */
  private static void tool(String name, List<String> command) throws IOException {
    String words =
        command.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    Path script = base.resolve("bin").resolve(name);
    Files.writeString(script, "#!/bin/sh\nexec " + words + " \"$@\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private static Path onPath(String name) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  @AfterAll
  static void deleteEverything() throws IOException {
    try (Stream<Path> files = Files.walk(base)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void thePageLeadsToABackendThatKeepsTheContract() throws IOException {
    Map<String, String> berth = checksums(Distribution.home());
    Path here = Files.createDirectory(base.resolve("page"));
    AuthorProject project = new AuthorProject(here.resolve("harbour"));
    String shown = "";
    int seen = 0;
    for (Tutorial.Step step : Tutorial.read(PAGE).steps()) {
      seen++;
      switch (step) {
        case Tutorial.Step.Run(String script) -> {
          Path folder = Files.exists(project.folder()) ? project.folder() : here;
          shown = shell(script, folder).expect(0).out();
        }
        case Tutorial.Step.Shows(List<String> lines) ->
            assertThat(spaced(shown)).contains(spaced(String.join("\n", lines)));
        case Tutorial.Step.Next(String text) ->
            assertThat(firstToDo(shell("mvn -q test", project.folder()))).startsWith(text);
        case Tutorial.Step.WholeFile(String path, String text) -> project.write(path, text);
        case Tutorial.Step.Method(String path, String name, String text) ->
            project.replaceMethod(path, name, text);
      }
    }
    // A reader of pages that finds nothing would find nothing wrong either.
    assertThat(seen).isGreaterThanOrEqualTo(15);
    assertThat(project.linesOfCode()).isLessThan(FEWER_LINES_THAN);
    assertThat(shell("berth backend docs harbour", here).expect(0).out())
        .contains("HARBOUR_API_KEY", "`creds.api_key`", "`regions`");
    verifyAsksBeforeItCosts(project);
    assertThat(checksums(Distribution.home())).isEqualTo(berth);
  }

  private static void verifyAsksBeforeItCosts(AuthorProject project) {
    String verify = "berth backend verify --jar target/berth-backend-harbour.jar -f settings.yml";
    project.write("settings.yml", "creds:\n  type: api_key\n  api_key: a-key\n");
    assertThat(shell(verify, project.folder()).expect(64).err()).contains("may cost money", "-y");
    project.write("settings.yml", "creds:\n  type: api_key\n");
    assertThat(shell(verify, project.folder()).expect(65).err())
        .contains("settings.yml:1:1: 'creds.api_key' is missing");
  }

  @Test
  void aProjectForContainersBuildsSaysWhatIsMissingAndCanBeFinished() throws IOException {
    Path here = Files.createDirectory(base.resolve("containers"));
    String make = "berth backend new ExampleXYZ --container\ncd example-xyz\n";
    shell(make + "mvn -q package -DskipTests", here).expect(0);
    AuthorProject project = new AuthorProject(here.resolve("example-xyz"));
    assertThat(project.folder().resolve("target/berth-backend-example-xyz.jar")).isNotEmptyFile();
    assertThat(firstToDo(shell("mvn -q test", project.folder())))
        .contains("check-accepts-the-configuration", "check is not implemented yet");

    finishForContainers(project);
    shell("mvn -q package", project.folder()).expect(0);
  }

  /** Settings and offers are written as on the page; how jobs run is the example's own. */
  private static void finishForContainers(AuthorProject project) {
    for (Tutorial.Step step : Tutorial.read(PAGE).steps()) {
      switch (step) {
        case Tutorial.Step.WholeFile(String path, String text) ->
            project.write(renamed(path), renamed(text));
        case Tutorial.Step.Method(String path, String name, String text)
            when path.endsWith("HarbourBackendType.java") ->
            project.replaceMethod(renamed(path), name, renamed(text));
        case Tutorial.Step.Method _, Tutorial.Step.Run _ -> {}
        case Tutorial.Step.Next _, Tutorial.Step.Shows _ -> {}
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

  private static FinishedCommand shell(String script, Path folder) {
    Map<String, String> variables =
        Map.of(
            "PATH",
            base.resolve("bin") + ":" + System.getenv("PATH"),
            "BERTH_HOME",
            base.resolve("home").toString(),
            "MAVEN_OPTS",
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    // What the page calls the user's home is this test's.
    String here = script.replace("~/.berth", "\"$BERTH_HOME\"");
    return online(
        RunningCommand.start(List.of("sh", "-e", "-c", here), variables, folder, base)
            .await(BUILD));
  }

  /** The head of the kit's list, with the first entry. */
  private static String firstToDo(FinishedCommand test) {
    String out = test.out();
    int start = out.indexOf(TO_DO);
    assertThat(start).as("a list of what is to do in:%n%s", out).isNotNegative();
    return out.substring(start, out.indexOf('\n', start + TO_DO.length()));
  }

  /** The same, where Maven could reach the network, or had no need to. */
  private static FinishedCommand online(FinishedCommand finished) {
    boolean unreachable =
        finished.exitCode() != 0
            && finished.out().contains("Could not transfer artifact")
            && !finished.out().contains("dev.berth:");
    assumeFalse(unreachable, "Maven cannot reach the repository that its plug-ins come from");
    return finished;
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
