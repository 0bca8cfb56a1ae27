package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth backend new}. */
final class BackendNewCommandTest {
  private static final String DISTRIBUTION = "berth.distribution";

  @TempDir private Path folder;

  @BeforeEach
  void makeDistribution() throws IOException {
    Path distribution = folder.resolve("distribution");
    Files.createDirectories(distribution.resolve("repository/dev/berth/berth-spi/4.5.6"));
    System.setProperty(DISTRIBUTION, distribution.toString());
  }

  @AfterEach
  void forgetDistribution() {
    System.clearProperty(DISTRIBUTION);
  }

  private Path project() {
    return folder.resolve("project");
  }

  private Command make(String... arguments) {
    String[] all = new String[arguments.length + 4];
    all[0] = "backend";
    all[1] = "new";
    all[2] = "--dir";
    all[3] = project().toString();
    System.arraycopy(arguments, 0, all, 4, arguments.length);
    return Command.run(all);
  }

  @Test
  void aProjectIsMadeAndTheNextStepsAreSaid() throws IOException {
    Command command = make("ExampleXYZ");
    assertThat(command.exitCode()).isZero();
    assertThat(command.out()).contains("example-xyz", "mvn -q package -DskipTests", "mvn -q test");
    assertThat(project().resolve("pom.xml"))
        .content()
        .contains("<berth.version>4.5.6</berth.version>")
        .contains(folder.resolve("distribution/repository") + "</berth.repository>");
    assertThat(
            project().resolve("src/main/java/berth/backend/examplexyz/ExampleXyzProvisioner.java"))
        .exists();
  }

  @Test
  void aProjectForContainersHasARuntime() {
    assertThat(make("Harbour", "--container", "--package", "org.harbour").exitCode()).isZero();
    assertThat(project().resolve("src/main/java/org/harbour/HarbourRuntime.java")).exists();
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    Files.createDirectory(project());
    Files.writeString(project().resolve("pom.xml"), "mine");
    Command command = make("Harbour");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("is not an empty folder", "--dir");
    assertThat(project()).isDirectoryNotContaining("glob:**README.md");
    assertThat(project().resolve("pom.xml")).hasContent("mine");
  }

  @Test
  void anEmptyFolderIsTaken() throws IOException {
    Files.createDirectory(project());
    assertThat(make("Harbour").exitCode()).isZero();
  }

  @Test
  void wrongWordsAreRefusedBeforeAnythingIsWritten() {
    assertThat(make("9lives").err()).contains("'9lives' is not a valid backend name");
    assertThat(make("Harbour", "--vm", "--container").err()).contains("choose --vm");
    assertThat(make("New").err()).contains("'berth.backend.new'", "--package");
    assertThat(make("Harbour", "--package", "a..b").err()).contains("'a..b'");
    assertThat(make("Harbour", "--package", "dev.berth.spi.harbour").err())
        .contains("come from the server");
    assertThat(project()).doesNotExist();
  }

  @Test
  void withoutADistributionThereIsNothingToBuildAgainst() {
    System.clearProperty(DISTRIBUTION);
    Command command = make("Harbour");
    assertThat(command.exitCode()).isEqualTo(1);
    assertThat(command.err()).contains("libraries that backends are built against");
    assertThat(project()).doesNotExist();
  }
}
