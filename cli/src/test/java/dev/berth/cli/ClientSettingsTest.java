package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which server gets to see which token. */
class ClientSettingsTest {
  @TempDir Path folder = Path.of("");

  private Home home = new Home(folder);

  @BeforeEach
  void store() throws IOException {
    home = new Home(folder);
    ClientSettings.save(home, Map.of("url", "https://one.example", "token", "first"));
  }

  private ClientSettings with(Map<String, String> environment) {
    return ClientSettings.load(home, environment);
  }

  @Test
  void aStoredTokenGoesToItsOwnServerOnly() {
    assertThat(with(Map.of()).token()).isEqualTo("first");
    assertThat(with(Map.of("BERTH_URL", "https://one.example/")).token()).isEqualTo("first");
    assertThat(with(Map.of("BERTH_URL", "https://two.example")))
        .isEqualTo(new ClientSettings("https://two.example", null, "main"));
    assertThat(with(Map.of("BERTH_URL", "https://two.example", "BERTH_TOKEN", "second")))
        .isEqualTo(new ClientSettings("https://two.example", "second", "main"));
    assertThat(with(Map.of("BERTH_TOKEN", "second")))
        .isEqualTo(new ClientSettings("https://one.example", "second", "main"));
  }

  @Test
  void aTokenWithoutAServerIsForNoneThatTheEnvironmentNames() throws IOException {
    ClientSettings.save(home, Map.of("url", ""));
    assertThat(with(Map.of("BERTH_URL", "https://two.example")).token()).isNull();
  }
}
