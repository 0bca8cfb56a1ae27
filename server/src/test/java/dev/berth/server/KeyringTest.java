package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sealed opens for who has the key, under its own name, as it was. */
class KeyringTest {
  private static final Keyring.Key OLD = key(1);
  private static final Keyring.Key NEW = key(2);

  private static Keyring.Key key(int filling) {
    byte[] bytes = new byte[Keyring.Key.BYTES];
    Arrays.fill(bytes, (byte) filling);
    return Keyring.Key.aes(bytes);
  }

  private static Keyring ring(Keyring.Key... keys) {
    return new Keyring(List.of(keys), new SecureRandom());
  }

  @Test
  void theFirstKeyEncryptsAndEachDecrypts() {
    String sealed = ring(OLD).seal("canary é", "secret", "lab", "x");
    assertThat(sealed).startsWith("v1:" + OLD.id() + ":").doesNotContain("canary");
    Keyring both = ring(NEW, OLD);
    assertThat(both.isCurrent(sealed)).isFalse();
    assertThat(both.open(sealed, "secret", "lab", "x").reveal()).isEqualTo("canary é");
    assertThat(both.isCurrent(both.seal("canary", "x"))).isTrue();
  }

  @Test
  void theSameValueIsNeverSealedTheSame() {
    assertThat(ring(OLD).seal("canary", "x")).isNotEqualTo(ring(OLD).seal("canary", "x"));
  }

  @Test
  void aValueMovedToAnotherNameDoesNotOpen() {
    String sealed = ring(OLD).seal("canary", "secret", "lab", "x");
    assertThatThrownBy(() -> ring(OLD).open(sealed, "secret", "lab", "y"))
        .isInstanceOf(Keyring.Unreadable.class)
        .hasMessageNotContaining("canary");
  }

  @Test
  void aChangedOrCutValueDoesNotOpen() {
    String sealed = ring(OLD).seal("canary", "x");
    int middle = sealed.lastIndexOf(':') + 20;
    char other = sealed.charAt(middle) == 'A' ? 'B' : 'A';
    String changed = sealed.substring(0, middle) + other + sealed.substring(middle + 1);
    String start = "v1:" + OLD.id() + ":";
    for (String wrong : List.of(changed, start, start + "AAAA", "v2:x:y", "", start + "!")) {
      assertThatThrownBy(() -> ring(OLD).open(wrong, "x")).isInstanceOf(Keyring.Unreadable.class);
    }
  }

  @Test
  void aMissingKeyIsNamed() {
    String sealed = ring(OLD).seal("canary", "x");
    assertThat(ring(NEW).knows(sealed)).isFalse();
    assertThatThrownBy(() -> ring(NEW).open(sealed, "x")).hasMessageContaining(OLD.id());
  }

  @Test
  void identityStoresAsItIs() {
    Keyring plain = ring(Keyring.Key.identity(), OLD);
    assertThat(plain.open(plain.seal("word", "x"), "other").reveal()).isEqualTo("word");
    assertThat(plain.fingerprint("word")).isEmpty();
    assertThat(ring(OLD, Keyring.Key.identity()).isCurrent(plain.seal("word", "x"))).isFalse();
  }

  @Test
  void aFingerprintNeedsTheKey() {
    assertThat(ring(OLD).fingerprint("word"))
        .isEqualTo(ring(OLD).fingerprint("word"))
        .isNotEqualTo(ring(OLD).fingerprint("other"))
        .isNotEqualTo(ring(NEW).fingerprint("word"));
  }
}
