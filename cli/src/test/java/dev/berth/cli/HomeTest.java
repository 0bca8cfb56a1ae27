package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where the user's Berth is. */
final class HomeTest {
  private static Path folder(Map<String, String> environment) {
    return Home.find(environment).folder();
  }

  @Test
  void theEnvironmentSaysWhereHomeIs() {
    assertThat(folder(Map.of("HOME", "/else/where"))).hasToString("/else/where/.berth");
    assertThat(folder(Map.of("HOME", "/else/where", "BERTH_HOME", "/data"))).hasToString("/data");
    assertThat(folder(Map.of("HOME", "", "BERTH_HOME", " ")))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".berth"));
  }
}
