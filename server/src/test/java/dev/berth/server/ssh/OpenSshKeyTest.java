package dev.berth.server.ssh;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys are what OpenSSH reads and writes. */
class OpenSshKeyTest {
  private static final Path KEYGEN = Path.of("/usr/bin/ssh-keygen");

  @TempDir private Path folder;

  private static OpenSshKey made() {
    return OpenSshKey.generate(new SecureRandom());
  }

  private Path file(String privateKey) throws IOException {
    Path file = folder.resolve("key");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, privateKey);
  }

  /** What ssh-keygen says. */
  private static String keygen(String... arguments) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(KEYGEN), "ssh-keygen is not installed");
    List<String> command = new ArrayList<>(List.of(KEYGEN.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), US_ASCII);
    assertThat(process.waitFor()).as(said).isZero();
    return said.strip();
  }

  @Test
  void aKeyIsTheSameWhenItIsReadAgain() throws OpenSshKey.Unreadable {
    OpenSshKey key = made();
    assertThat(OpenSshKey.of(key.privateKey())).isEqualTo(key);
    assertThat(key.publicKey())
        .startsWith("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI")
        .endsWith(" berth");
    assertThat(made()).isNotEqualTo(key);
  }

  @Test
  void opensshFindsThePublicKeyInThePrivateOne() throws IOException, InterruptedException {
    OpenSshKey key = made();
    assertThat(keygen("-y", "-f", file(key.privateKey()).toString())).isEqualTo(key.publicKey());
  }

  @Test
  void aKeyOfOpensshIsRead() throws Exception {
    Path file = folder.resolve("own");
    keygen("-q", "-t", "ed25519", "-N", "", "-C", "berth", "-f", file.toString());
    assertThat(OpenSshKey.of(Files.readString(file)).publicKey())
        .isEqualTo(Files.readString(folder.resolve("own.pub")).strip());
  }

  @Test
  void aKeyWithAPassphraseIsRefused() throws Exception {
    Path file = folder.resolve("own");
    keygen("-q", "-t", "ed25519", "-N", "canary", "-f", file.toString());
    String text = Files.readString(file);
    assertThatThrownBy(() -> OpenSshKey.of(text)).hasMessageContaining("passphrase");
  }

  @Test
  void aKeyOfAnotherTypeIsRefused() throws Exception {
    Path file = folder.resolve("own");
    keygen("-q", "-t", "ecdsa", "-N", "", "-f", file.toString());
    String text = Files.readString(file);
    assertThatThrownBy(() -> OpenSshKey.of(text)).hasMessageContaining("not an Ed25519 key");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 40, 60, 90})
  void aKeyThatWasCutShortIsRefused(int kept) {
    String whole = made().privateKey();
    String begin = whole.substring(0, whole.indexOf('\n') + 1);
    String end = whole.substring(whole.indexOf("\n-----END"));
    String cut = begin + whole.substring(begin.length(), begin.length() + kept) + end;
    assertThatThrownBy(() -> OpenSshKey.of(cut)).isInstanceOf(OpenSshKey.Unreadable.class);
    assertThatThrownBy(() -> OpenSshKey.of(whole.substring(0, kept)))
        .isInstanceOf(OpenSshKey.Unreadable.class);
  }

  @Test
  void aKeyThatIsPrintedShowsNoSecret() {
    OpenSshKey key = made();
    assertThat(key).hasToString(key.publicKey());
  }
}
