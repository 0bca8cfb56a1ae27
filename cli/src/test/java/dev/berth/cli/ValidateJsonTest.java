package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code berth validate --json} for programs. */
final class ValidateJsonTest {
  @TempDir Path folder;

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static JsonNode single(Command command) {
    JsonNode json = command.json();
    assertThat(json.propertyNames()).containsExactly("files");
    assertThat(json.path("files")).hasSize(1);
    JsonNode file = json.path("files").path(0);
    assertThat(file.propertyNames())
        .containsExactly("file", "kind", "valid", "errors", "warnings", "config");
    return file;
  }

  @Test
  void aValidFileIsShownWithItsNormalisedForm() throws IOException {
    String name = file("good.yml", "type: task\ncommands: [echo]\nhome_dir: /root\n");
    Command command = Command.run("validate", "--json", "-f", name);
    assertThat(command.exitCode()).isZero();
    JsonNode file = single(command);
    assertThat(file.path("file").asString()).isEqualTo(name);
    assertThat(file.path("kind").asString()).isEqualTo("task");
    assertThat(file.path("valid").asBoolean()).isTrue();
    assertThat(file.path("errors")).isEmpty();
    assertThat(file.path("warnings")).hasSize(1);
    assertThat(file.path("warnings").path(0).propertyNames())
        .containsExactly("line", "column", "path", "message");
    assertThat(file.path("config").path("type").asString()).isEqualTo("task");
    assertThat(file.path("config").path("resources").path("memory_mib").path("min").asInt())
        .isEqualTo(8192);
  }

  @Test
  void everyMistakeHasItsPlace() throws IOException {
    Command command =
        Command.run("validate", "--json", "-f", file("bad.yml", "type: task\ncommands: echo\n"));
    assertThat(command.exitCode()).isEqualTo(65);
    JsonNode file = single(command);
    assertThat(file.path("kind").asString()).isEqualTo("task");
    assertThat(file.path("valid").asBoolean()).isFalse();
    assertThat(file.path("config").isNull()).isTrue();
    JsonNode error = file.path("errors").path(0);
    assertThat(error.propertyNames()).containsExactly("line", "column", "path", "message");
    assertThat(error.path("line").asInt()).isEqualTo(2);
    assertThat(error.path("column").asInt()).isEqualTo(11);
    assertThat(error.path("path").asString()).isEqualTo("commands");
    assertThat(error.path("message").asString()).startsWith("expected a list");
  }

  @Test
  void aFileOfNoKindHasNone() throws IOException {
    Command command = Command.run("validate", "--json", "-f", file("none.yml", "a: b\n"));
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(single(command).path("kind").isNull()).isTrue();
  }

  @Test
  void aMissingFileHasTheSameShape() {
    Command command =
        Command.run("validate", "--json", "-f", folder.resolve("missing.yml").toString());
    assertThat(command.exitCode()).isEqualTo(65);
    JsonNode error = single(command).path("errors").path(0);
    assertThat(error.path("line").asInt()).isEqualTo(1);
    assertThat(error.path("message").asString()).isEqualTo("there is no such file");
  }

  @Test
  void severalFilesKeepTheirOrder() throws IOException {
    String good = file("good.yml", "type: task\ncommands: [echo]\n");
    String bad = file("bad.yml", "type: tusk\n");
    Command command = Command.run("validate", "-f", good, bad, "--json");
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.json().path("files"))
        .extracting(one -> one.path("file").asString() + " " + one.path("valid").asBoolean())
        .containsExactly(good + " true", bad + " false");
  }

  @Test
  void textThatIsNotLatinArrivesAsItIs() throws IOException {
    String name = file("good.yml", "type: task\ncommands: [\"echo é😀\"]\n");
    JsonNode file = single(Command.run("validate", "--json", "-f", name));
    assertThat(file.path("config").path("commands").path(0).asString()).isEqualTo("echo é😀");
  }

  @Test
  void secretsOfAServersFileAreMasked() throws IOException {
    String key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    String name =
        file(
            "server.yml",
            """
            projects:
              - name: main
                backends:
                  - type: aws
                    creds: {type: access_key, access_key: AKIAX, secret_key: topsecret}
                  - type: runpod
                    creds: {type: api_key, api_key: rpa_topsecret}
                  - type: other
                    api_token: tok_topsecret
                    password: hunter_topsecret
                    nested: [{client_secret: deep_topsecret}]
                    regions: [eu]
            default_permissions: {allow_managers_manage_secrets: true}
            encryption:
              keys: [{type: aes, name: key1, secret: %s}]
            """
                .formatted(key));
    Command command = Command.run("validate", "--json", "-f", name);
    assertThat(command.exitCode()).isZero();
    assertThat(command.out()).doesNotContain("topsecret", key, "AKIAX");
    JsonNode config = single(command).path("config");
    assertThat(config.path("default_permissions").path("allow_managers_manage_secrets").asBoolean())
        .isTrue();
    JsonNode backend = config.path("projects").path(0).path("backends");
    assertThat(backend.path(0).path("creds").path("type").asString()).isEqualTo("access_key");
    assertThat(backend.path(0).path("creds").path("secret_key").asString()).isEqualTo("***");
    assertThat(backend.path(2).path("regions").path(0).asString()).isEqualTo("eu");
  }

  @Test
  void referencesToSecretsAndRunFilesAreShownAsTheyAre() throws IOException {
    String name =
        file(
            "task.yml",
            """
            type: task
            image: acme/train
            registry_auth: {username: me, password: "${{ secrets.password }}"}
            """);
    JsonNode config = single(Command.run("validate", "--json", "-f", name)).path("config");
    assertThat(config.path("registry_auth").path("password").asString())
        .isEqualTo("${{ secrets.password }}");
  }
}
