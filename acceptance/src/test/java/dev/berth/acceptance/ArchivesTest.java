package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The archives that people unpack and run, without the sources and without Java. */
@Timeout(900)
class ArchivesTest {
  private TestHome user;
  private Path folder;

  @BeforeEach
  void open() throws IOException {
    user = TestHome.fresh();
    folder = Files.createDirectory(user.scratch().resolve("unpacked by me"));
    // Whoever asks for the Java of the machine gets this one.
    Path java = Files.writeString(folder.resolve("java"), "#!/bin/sh\nexit 99\n");
    run("chmod", "755", java.toString()).expect(0);
    user.set("PATH", folder + ":" + System.getenv("PATH"));
    user.set("JAVA_HOME", "/nonexistent");
    user.set("XDG_CACHE_HOME", user.scratch().resolve("cache").toString());
    user.set("BERTH_AOT", "off");
  }

  @AfterEach
  void close() {
    user.close();
    run("chmod", "-R", "u+w", folder.toString()).expect(0);
    user.delete();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-slim", ""})
  void anArchiveRunsWhereItIsUnpacked(String suffix) throws IOException {
    Path home = unpack(suffix);
    run("chmod", "-R", "a-w", home.toString()).expect(0);
    List<String> before = files(home);
    String berth = home.resolve("bin/berth").toString();
    assertThat(run(berth, "--version").expect(0).out()).startsWith("berth ");
    assertThat(run(berth, "backend", "types").expect(0).out())
        .contains("local")
        .contains("sim")
        .contains("bundled");
    String hello = home.resolve("examples/hello.berth.yml").toString();
    assertThat(run(berth, "apply", "-y", "-f", hello).expect(0).out()).contains("Hello from");
    assertThat(home.resolve("plugins")).isEmptyDirectory();
    assertThat(home.resolve("LICENSE")).isRegularFile();
    assertThat(files(home)).isEqualTo(before);
  }

  @Test
  void withoutABillOfMaterialsNothingIsPacked() {
    String pack = Distribution.root().resolve("build/pack").toString();
    assertThat(run(pack, "-none", folder.toString()).expect(1).err())
        .contains("sbom.json is missing")
        .contains("build without -o");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-slim", ""})
  void anArchiveSaysWhatIsInIt(String suffix) throws IOException {
    Path target = Distribution.root().resolve("distribution/target");
    String sum = archive(suffix).getFileName() + ".sha256";
    user.startProgram(List.of("sha256sum", "-c", sum), target).await().expect(0);
    Path home = unpack(suffix);
    assertThat(home.resolve("THIRD-PARTY.txt"))
        .content()
        .containsPattern("tools\\.jackson\\.core:jackson-databind \\S+: Apache-2\\.0\n")
        .contains("GNU General Public License 2 with the Classpath Exception")
        .doesNotContain("dev.berth:");
    JsonNode parts = JsonMapper.shared().readTree(home.resolve("sbom.json").toFile());
    assertThat(parts.get("bomFormat").asString()).isEqualTo("CycloneDX");
    List<String> names = new ArrayList<>();
    parts.get("components").forEach(part -> names.add(part.get("name").asString()));
    List<String> jars = Files.readAllLines(home.resolve("classpath"));
    assertThat(jars)
        .allSatisfy(jar -> assertThat(names).anyMatch(name -> jar.startsWith(name + "-")));
    for (String shell : List.of("bash", "zsh", "fish")) {
      assertThat(home.resolve("completions/berth." + shell)).content().contains("__complete");
    }
  }

  @Test
  void theFirstStartHasCachesMade() throws IOException {
    user.set("BERTH_AOT", "");
    Path home = unpack("-slim");
    String id = Files.readString(home.resolve("id")).strip();
    Path asked = user.scratch().resolve("asked");
    // The real one takes a minute, and every build runs it.
    Files.writeString(
        home.resolve("libexec/train"), "#!/bin/sh\necho \"$*\" >asked.new && mv asked.new asked\n");
    run(home.resolve("bin/berth").toString(), "--version").expect(0);
    Await.until("the training", () -> Files.exists(asked));
    assertThat(asked)
        .hasContent(
            "--background %s %s/runtime %s/cache/berth/%s"
                .formatted(home, home, user.scratch(), id));
  }

  @Test
  void aJarThatWasReplacedByHandHasCachesMadeAgain() throws IOException {
    user.set("BERTH_AOT", "");
    Path home = unpack("-slim");
    String id = Files.readString(home.resolve("id")).strip();
    Path cache = Files.createDirectories(home.resolve("cache").resolve(id));
    mark(cache.resolve("jars"), home.resolve("id"));
    mark(cache.resolve("java"), home.resolve("runtime/lib/modules"));
    mark(cache.resolve("trained"), home.resolve("id"));
    Path asked = user.scratch().resolve("asked");
    Files.writeString(home.resolve("libexec/train"), "#!/bin/sh\necho asked >>asked\n");
    run(home.resolve("bin/berth").toString(), "--version").expect(0);
    Path jar = home.resolve("lib").resolve(Files.readAllLines(home.resolve("classpath")).getLast());
    Files.setLastModifiedTime(
        jar, FileTime.from(Files.getLastModifiedTime(jar).toInstant().plusSeconds(1)));
    run(home.resolve("bin/berth").toString(), "--version").expect(0);
    Await.until("the training", () -> Files.exists(asked));
    assertThat(asked).as("by the second command alone").hasContent("asked");
  }

  /** Gives a mark the time of what it stands for. */
  private static void mark(Path mark, Path source) throws IOException {
    Files.createFile(mark);
    Files.setLastModifiedTime(mark, Files.getLastModifiedTime(source));
  }

  private Path unpack(String suffix) throws IOException {
    run("tar", "-xzf", archive(suffix).toString(), "-C", folder.toString()).expect(0);
    return only(folder, "berth-\\d.*");
  }

  private FinishedCommand run(String... words) {
    return user.startProgram(List.of(words), user.scratch()).await();
  }

  private static Path archive(String suffix) throws IOException {
    return only(
        Distribution.root().resolve("distribution/target"),
        "berth-\\d[^-]*-linux-[^-]*" + suffix + "\\.tar\\.gz");
  }

  private static Path only(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.getFileName().toString().matches(name)).toList();
      assertThat(found).hasSize(1);
      return found.getFirst();
    }
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).sorted().toList();
    }
  }
}
