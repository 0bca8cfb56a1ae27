package dev.berth.server.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.client.BerthClient;
import dev.berth.control.FailPoint;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendTypeList;
import dev.berth.model.api.BackendTypeView;
import dev.berth.server.BerthServer;
import dev.berth.spi.BackendType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsTest {
  @TempDir Path folder;
  private PluginJars jars;

  @BeforeEach
  void makeFolder() {
    jars = new PluginJars(folder);
  }

  private Plugins load() {
    return Plugins.load(List.of(folder.resolve("missing"), folder.resolve("plugins")));
  }

  private void plugin(String file, String name, String version) throws IOException {
    jars.jar(
        file,
        List.of("Sample"),
        Map.of(
            "Sample.java", PluginJars.type("Sample", name, "lib.Library.version()"),
            "lib/Library.java", PluginJars.library(version)));
  }

  @Test
  void twoPluginsMayBringIncompatibleVersionsOfOneLibrary() throws IOException {
    plugin("a.jar", "alpha", "1.0 of the library");
    plugin("b.jar", "beta", "2.0 of the library");
    try (Plugins plugins = load()) {
      assertThat(plugins.failed()).isEmpty();
      InstalledType alpha = plugins.find("alpha").orElseThrow();
      InstalledType beta = plugins.find("beta").orElseThrow();
      assertThat(alpha.type().summary()).isEqualTo("1.0 of the library");
      assertThat(beta.type().summary()).isEqualTo("2.0 of the library");
      assertThat(alpha.origin()).isEqualTo("a.jar");
      assertThat(alpha.version()).isEqualTo("4.2");
      assertThat(alpha.isBundled()).isFalse();
    }
  }

  @Test
  void oneServerHasBoth() throws IOException {
    plugin("a.jar", "alpha", "1.0 of the library");
    plugin("b.jar", "beta", "2.0 of the library");
    Path home = folder.resolve("home");
    BerthServer.Settings settings =
        new BerthServer.Settings(
            home, List.of(folder.resolve("plugins")), "127.0.0.1", 0, "admin", "main");
    try (BerthServer server = BerthServer.start(settings, FailPoint.Observer.NONE);
        BerthClient client =
            new BerthClient(server.url(), Files.readString(home.resolve("token")).strip())) {
      assertThat(client.backendTypes().types())
          .extracting(BackendTypeView::summary)
          .contains("1.0 of the library", "2.0 of the library");
    }
  }

  @Test
  void bundledTypesAreThereToo() {
    try (Plugins plugins = load()) {
      InstalledType local = plugins.find("local").orElseThrow();
      assertThat(local.isBundled()).isTrue();
      assertThat(local.origin()).isEqualTo("bundled");
    }
  }

  @Test
  void aPluginSeesTheContractAndNothingElseOfTheServer() throws IOException {
    plugin("a.jar", "alpha", "1");
    try (Plugins plugins = load()) {
      ClassLoader loader = plugins.find("alpha").orElseThrow().loader();
      assertThat(load(loader, BackendType.class.getName())).isSameAs(BackendType.class);
      assertThat(load(loader, "dev.berth.server.BerthServer")).isNull();
      assertThat(load(loader, "tools.jackson.databind.json.JsonMapper")).isNull();
      assertThat(loader.getResource("META-INF/services/dev.berth.spi.BackendType").toString())
          .contains("a.jar");
    }
  }

  private static @org.jspecify.annotations.Nullable Class<?> load(ClassLoader loader, String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  @Test
  void jarsThatBelongTogetherAreAFolder() throws IOException {
    plugin("a.jar", "alpha", "1");
    Path together = Files.createDirectories(folder.resolve("plugins").resolve("alpha-1.0"));
    Files.move(folder.resolve("plugins/a.jar"), together.resolve("a.jar"));
    try (Plugins plugins = load()) {
      assertThat(plugins.find("alpha").orElseThrow().origin()).isEqualTo("alpha-1.0");
    }
  }

  @Test
  void whatCannotBeLoadedIsNamedAndTheRestWorks() throws IOException {
    plugin("good.jar", "alpha", "1");
    plugin("second.jar", "alpha", "2");
    jars.jar(
        "half.jar",
        List.of("Missing", "Broken", "Sample"),
        Map.of(
            "Sample.java",
            PluginJars.type("Sample", "half", "\"the other half\""),
            "Broken.java",
            "public final class Broken { public Broken() {"
                + " throw new IllegalStateException(\"no licence\"); } }"));
    jars.jar("empty.jar", List.of(), Map.of("Nothing.java", "final class Nothing {}"));
    jars.jar(
        "named.jar",
        List.of("Sample"),
        Map.of("Sample.java", PluginJars.type("Sample", "Bad Name", "\"x\"")));
    Files.writeString(folder.resolve("plugins/torn.jar"), "this is no jar");
    Files.writeString(folder.resolve("plugins/README.txt"), "not a plug-in");
    try (Plugins plugins = load()) {
      assertThat(plugins.find("alpha").orElseThrow().origin()).isEqualTo("good.jar");
      assertThat(plugins.find("half")).isPresent();
      assertThat(plugins.failed())
          .extracting(FailedPlugin::origin)
          .containsExactly(
              "empty.jar", "half.jar", "half.jar", "named.jar", "second.jar", "torn.jar");
      assertThat(plugins.failed().stream().map(FailedPlugin::reason))
          .satisfiesExactly(
              empty -> assertThat(empty).contains("names no backend"),
              missing -> assertThat(missing).contains("Missing"),
              broken -> assertThat(broken).contains("Broken"),
              named -> assertThat(named).contains("'Bad Name' is no name for a type"),
              second -> assertThat(second).contains("there already (good.jar)"),
              torn -> assertThat(torn).contains("cannot be read"));
    }
  }

  private Path inPlugins(String file) {
    return folder.resolve("plugins").resolve(file);
  }

  private static BackendRequest request(String type) {
    return new BackendRequest("mine", type, Map.of());
  }

  /** What the server says to a request for a backend of a type. */
  private static String refusal(BerthClient client, String type) {
    return String.valueOf(
        catchThrowable(() -> client.suggestBackend("main", request(type))).getMessage());
  }

  private BerthServer start(Path home) throws IOException {
    return BerthServer.start(
        new BerthServer.Settings(
            home, List.of(folder.resolve("plugins")), "127.0.0.1", 0, "admin", "main"),
        FailPoint.Observer.NONE);
  }

  @Test
  void aRunningServerSeesAPluginOnceItsJarIsWhole() throws IOException {
    Path home = folder.resolve("home");
    try (BerthServer server = start(home);
        BerthClient client =
            new BerthClient(server.url(), Files.readString(home.resolve("token")).strip())) {
      assertThat(refusal(client, "alpha"))
          .contains("no type 'alpha' is installed; there are ", "local")
          .contains("jars of other types belong into " + folder.resolve("plugins"));

      plugin("whole", "alpha", "1");
      byte[] whole = Files.readAllBytes(inPlugins("whole"));
      Files.write(inPlugins("a.jar"), Arrays.copyOf(whole, whole.length / 2));
      assertThat(refusal(client, "alpha"))
          .contains("no type 'alpha' is installed")
          .contains("a.jar cannot be loaded: it cannot be read: a.jar is no complete jar")
          .contains("if it is still being copied, try again");
      assertThat(client.backendTypes().failed())
          .extracting(BackendTypeList.Failed::origin)
          .containsExactly("a.jar");

      Files.write(inPlugins("a.jar"), whole);
      assertThat(client.suggestBackend("main", request("alpha"))).isNotNull();
      assertThat(client.backendTypes().failed()).isEmpty();
    }
  }

  @Test
  void aPluginThatWasLoadedAndIsReplacedNeedsARestart() throws IOException {
    plugin("a.jar", "alpha", "1");
    byte[] first = Files.readAllBytes(inPlugins("a.jar"));
    Path home = folder.resolve("home");
    try (BerthServer server = start(home);
        BerthClient client =
            new BerthClient(server.url(), Files.readString(home.resolve("token")).strip())) {
      plugin("a.jar", "alpha", "2");
      assertThat(refusal(client, "alpha"))
          .contains("a.jar: it was replaced or removed after the server had loaded it")
          .contains("restart the server (if it runs in the background: berth server stop)");
      assertThat(client.backendTypes().failed())
          .extracting(BackendTypeList.Failed::origin)
          .containsExactly("a.jar");
      assertThat(client.backendTypes().types())
          .as("which need classes that were not loaded before")
          .extracting(BackendTypeView::summary)
          .contains("1");
      // The same jar under a new date is no other one.
      Files.write(inPlugins("a.jar"), first);
      assertThat(client.suggestBackend("main", request("alpha"))).isNotNull();
      assertThat(client.backendTypes().failed()).isEmpty();
    }
    plugin("a.jar", "alpha", "2");
    try (Plugins plugins = load()) {
      assertThat(plugins.find("alpha").orElseThrow().type().summary()).isEqualTo("2");
    }
  }

  @Test
  void whatFailedAndWentAwayIsForgotten() throws IOException {
    Files.createDirectories(folder.resolve("plugins"));
    Files.writeString(inPlugins("torn.jar"), "this is no jar");
    try (Plugins plugins = load()) {
      assertThat(plugins.view().failed()).hasSize(1);
      Files.delete(inPlugins("torn.jar"));
      assertThat(plugins.view().failed()).isEmpty();
      plugin("torn.jar", "alpha", "1");
      assertThat(plugins.find("alpha")).isPresent();
    }
  }

  @Test
  void manyThreadsThatAskForAPluginThatHasComeGetTheSame() throws Exception {
    try (Plugins plugins = load();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      plugin("a.jar", "alpha", "1");
      List<Callable<InstalledType>> asked =
          Collections.nCopies(20, () -> plugins.find("alpha").orElseThrow());
      Set<InstalledType> found = new HashSet<>();
      for (Future<InstalledType> one : threads.invokeAll(asked)) {
        found.add(one.get());
      }
      assertThat(found).hasSize(1);
      assertThat(plugins.failed()).isEmpty();
    }
  }
}
