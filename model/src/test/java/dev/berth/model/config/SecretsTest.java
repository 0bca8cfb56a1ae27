package dev.berth.model.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.ServerConfiguration.EncryptionKey;
import dev.berth.model.config.ServerConfiguration.EncryptionKeyType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records that hold a secret do not print it, so that no log can. */
final class SecretsTest {
  @Test
  void aRegistryPasswordIsNotPrinted() {
    assertThat(new RegistryAuth("me", "hidden").toString()).contains("me").doesNotContain("hidden");
  }

  @Test
  void anEncryptionKeyIsNotPrinted() {
    assertThat(new EncryptionKey(EncryptionKeyType.AES, "key1", "hidden").toString())
        .contains("key1")
        .doesNotContain("hidden");
  }

  @Test
  void theSettingsOfABackendAreNotPrinted() {
    assertThat(new BackendDeclaration("aws", "main", Map.of("creds", "hidden")).toString())
        .contains("aws", "creds")
        .doesNotContain("hidden");
  }
}
