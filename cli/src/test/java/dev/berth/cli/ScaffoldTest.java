package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The project of a new backend. */
final class ScaffoldTest {
  private static Map<String, String> files(Scaffold.Kind kind) {
    return new Scaffold(
            ScaffoldName.of("ExampleXYZ"), "org.example.xyz", kind, "1.2.3", "/opt/a&b/repository")
        .files();
  }

  @ParameterizedTest
  @CsvSource({
    "ExampleXYZ, example-xyz, ExampleXyz, EXAMPLE_XYZ, examplexyz",
    "example-xyz, example-xyz, ExampleXyz, EXAMPLE_XYZ, examplexyz",
    "XYZExample, xyz-example, XyzExample, XYZ_EXAMPLE, xyzexample",
    "Harbour, harbour, Harbour, HARBOUR, harbour",
    "k8s, k8s, K8s, K8S, k8s",
    "Gpu4You, gpu4-you, Gpu4You, GPU4_YOU, gpu4you",
    "x, x, X, X, x"
  })
  void aNameIsWrittenInEveryStyle(
      String written, String type, String className, String variable, String packageWord) {
    ScaffoldName name = ScaffoldName.of(written);
    assertThat(name.type()).isEqualTo(type);
    assertThat(name.className()).isEqualTo(className);
    assertThat(name.variable()).isEqualTo(variable);
    assertThat(name.packageWord()).isEqualTo(packageWord);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "9lives",
        "-a",
        "a-",
        "a--b",
        "a_b",
        "Äpfel",
        "a b",
        "../a",
        "Job",
        "partial",
        "aNameThatIsLongerThanTheServerTakesForATypeOfBackends"
      })
  void whatCannotBeANameIsRefusedWithAReason(String written) {
    assertThatThrownBy(() -> ScaffoldName.of(written))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("'" + written + "' is not a valid backend name: ");
  }

  @Test
  void aProjectHasAllThatAnAuthorNeeds() {
    assertThat(files(Scaffold.Kind.VM).keySet())
        .containsExactly(
            "pom.xml",
            "README.md",
            ".gitignore",
            "src/main/java/org/example/xyz/package-info.java",
            "src/main/java/org/example/xyz/ExampleXyzBackendType.java",
            "src/main/java/org/example/xyz/ExampleXyzConfig.java",
            "src/main/java/org/example/xyz/ExampleXyzClient.java",
            "src/main/java/org/example/xyz/ExampleXyzOffers.java",
            "src/main/java/org/example/xyz/ExampleXyzCompute.java",
            "src/main/java/org/example/xyz/ExampleXyzProvisioner.java",
            "src/main/resources/META-INF/services/dev.berth.spi.BackendType",
            "src/main/resources/META-INF/berth/example-xyz.md",
            "src/test/java/org/example/xyz/FakeExampleXyzServer.java",
            "src/test/java/org/example/xyz/ExampleXyzConformanceTest.java");
    assertThat(files(Scaffold.Kind.CONTAINER).keySet())
        .contains("src/main/java/org/example/xyz/ExampleXyzRuntime.java")
        .doesNotContain("src/main/java/org/example/xyz/ExampleXyzProvisioner.java");
  }

  @ParameterizedTest
  @EnumSource(Scaffold.Kind.class)
  void noPlaceholderIsLeft(Scaffold.Kind kind) {
    assertThat(files(kind).values())
        .allSatisfy(text -> assertThat(text).doesNotContainPattern("@[A-Za-z]+@"))
        .allSatisfy(text -> assertThat(text).endsWith("\n"));
  }

  @Test
  void thePomPointsToTheDistribution() {
    assertThat(files(Scaffold.Kind.VM).get("pom.xml"))
        .contains("<berth.repository>/opt/a&amp;b/repository</berth.repository>")
        .contains("<berth.version>1.2.3</berth.version>")
        .contains("<url>file://${berth.repository}</url>");
  }

  /** Berth's own build is where these versions are tried. */
  @Test
  void toolsAndLibrariesHaveTheVersionsOfBerthsOwnBuild() throws IOException {
    String root = Files.readString(Path.of(System.getProperty("berth.root"), "pom.xml"));
    String generated = files(Scaffold.Kind.VM).getOrDefault("pom.xml", "");
    Map<String, String> ours = versions(root);
    Map<String, String> theirs = versions(generated);
    assertThat(theirs).hasSizeGreaterThan(7).containsKeys("maven-compiler-plugin", "jackson");
    theirs.forEach(
        (name, version) -> {
          if (ours.containsKey(name)) {
            assertThat(version).as("version of %s", name).isEqualTo(ours.get(name));
          }
        });
    assertThat(ours).containsKeys("maven-compiler-plugin", "maven-surefire-plugin", "jackson");
  }

  private static Map<String, String> versions(String pom) {
    Map<String, String> versions = new TreeMap<>();
    Matcher plugins =
        Pattern.compile("<artifactId>(maven-[a-z]+-plugin)</artifactId>\\s*<version>(.*)</version>")
            .matcher(pom);
    while (plugins.find()) {
      versions.put(plugins.group(1), plugins.group(2));
    }
    Matcher libraries = Pattern.compile("<(jackson|junit)\\.version>(.*)</").matcher(pom);
    while (libraries.find()) {
      versions.put(libraries.group(1), libraries.group(2));
    }
    return versions;
  }
}
