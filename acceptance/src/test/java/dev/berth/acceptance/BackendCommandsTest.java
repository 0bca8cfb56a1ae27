package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code berth backend}, as people type it. */
@Timeout(900)
class BackendCommandsTest {
  private TestHome home;

  @BeforeEach
  void open() {
    home = TestHome.fresh();
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void aBackendComesAndGoes() {
    home.file("cloud.yml", "type: sim\ncreds:\n  type: api_key\n  api_key: canary-key\nseed: 3\n");
    assertThat(home.berth("backend", "add", "cloud", "-f", "cloud.yml").expect(0).out())
        .isEqualTo("cloud added\n");
    FinishedCommand list = home.berth("backend", "list", "--json").expect(0);
    assertThat(list.out()).contains("\"cloud\"", "\"***\"").doesNotContain("canary");
    assertThat(home.berth("backend", "list").expect(0).out()).contains("cloud", "sim", "ready");
    home.berth("backend", "check", "cloud").expect(0);
    assertThat(home.berth("backend", "remove", "cloud").expect(0).out())
        .isEqualTo("cloud removed\n");
    assertThat(home.berth("backend", "remove", "cloud").expect(1).err())
        .contains("there is no backend 'cloud'; there are local");
    assertThat(home.berth("backend", "remove", "local").expect(77).err())
        .contains("is built in and cannot be removed");
  }

  @Test
  void whatIsWrongInAFileIsShownWithItsPlace() {
    home.file("torn.yml", "seed: [\n");
    assertThat(
            home.berth("backend", "add", "x", "--type", "sim", "-f", "torn.yml").expect(65).err())
        .contains("berth: torn.yml:2:1: invalid YAML");
    home.file("wrong.yml", "seed: many\ncreds:\n  type: tokn\nregions: [sim-north, atlantis]\n");
    assertThat(
            home.berth("backend", "add", "x", "--type", "sim", "-f", "wrong.yml").expect(65).err())
        .contains(
            "wrong.yml:1:1: 'seed' must be a whole number, not 'many'",
            "wrong.yml:3:3: 'creds.type' must be one of default, api_key, not 'tokn'");
    home.file("key.yml", "creds:\n  type: api_key\n  api_key: wrong\n");
    assertThat(home.berth("backend", "add", "x", "--type", "sim", "-f", "key.yml").expect(65).err())
        .contains("key.yml:3:3: 'creds.api_key'");
    assertThat(home.berth("backend", "add", "x", "-f", "none.yml").expect(65).err())
        .contains("none.yml: there is no such file");
    assertThat(home.berth("backend", "add", "x").expect(77).err())
        .contains("no type 'x' is installed; there are docker, local, sim");
    assertThat(home.berth("backend", "list").expect(0).out()).doesNotContain(" x ");
  }

  @Test
  void aPluginThatCannotBeLoadedIsNamedAndTheRestWorks() throws IOException {
    Path plugins = Files.createDirectories(home.folder().resolve("plugins"));
    Files.writeString(plugins.resolve("torn.jar"), "no jar");
    FinishedCommand types = home.berth("backend", "types").expect(1);
    assertThat(types.out()).contains("local").contains("sim");
    assertThat(types.err()).contains("torn.jar cannot be loaded: it cannot be read");
    Path task = home.task("hello", "", "echo works");
    assertThat(home.berth("apply", "-y", "-f", task.toString()).expect(0).out()).contains("works");
  }

  @Test
  void settingsAreDocumentedAndSuggested() {
    assertThat(home.berth("backend", "docs", "sim").expect(0).out())
        .startsWith("# sim\n")
        .contains("| `creds.api_key` | secret text, required |");
    assertThat(home.berth("backend", "docs", "sim", "--schema").expect(0).json().get("type"))
        .isNotNull();
    assertThat(home.berth("backend", "docs", "nimbus").expect(64).err())
        .contains("no type 'nimbus' is installed; there are docker, local, sim");
    assertThat(home.berth("backend", "suggest", "sim").expect(0).out())
        .contains("regions", "sim-north", "network");
    assertThat(home.berth("backend").expect(64).err())
        .contains("no command given; choose one of list, add");
  }
}
