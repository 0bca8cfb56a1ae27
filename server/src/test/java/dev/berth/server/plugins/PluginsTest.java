package dev.berth.server.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.control.FailPoint;
import dev.berth.model.api.BackendTypeView;
import dev.berth.server.BerthServer;
import dev.berth.spi.BackendType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
}
