package dev.berth.hosts.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.LocalAccess;
import dev.berth.hosts.process.FolderMachine.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders may stand for machines. */
final class FolderMachineTest {
  @TempDir private Path base;

  private static FolderMachine at(String folder) {
    return FolderMachine.at("folder:" + folder, LocalAccess::withHome).orElseThrow();
  }

  private Path folder() {
    return base.resolve("m-1");
  }

  private FolderMachine machine() {
    return at(folder().toString());
  }

  private static void assertRefused(Claim claim, String because) {
    assertThat(claim)
        .isInstanceOfSatisfying(
            Claim.Refused.class, refused -> assertThat(refused.reason()).contains(because));
  }

  @Test
  void onlyAddressesOfFoldersNameSuchMachines() {
    assertThat(FolderMachine.at("10.0.0.1", LocalAccess::withHome)).isEmpty();
    assertThat(machine().address()).isEqualTo("folder:" + folder());
  }

  @Test
  void whatWasBootedIsTheMachineWithItsName() {
    machine().boot();
    machine().boot();
    assertThat(machine().isThere()).isTrue();
    assertThat(machine().claim("m-1")).isEqualTo(new Claim.Granted());
    assertRefused(machine().claim("m-2"), "it is 'm-1'");
  }

  @Test
  void whatAFakeMakesByHandIsOneToo() throws IOException {
    Files.createDirectories(folder().resolve("home"));
    Files.writeString(folder().resolve("machine-id"), "i-77\n");
    assertThat(machine().claim("i-77")).isEqualTo(new Claim.Granted());
  }

  @Test
  void nothingRunsInAFolderThatNobodyMadeForAMachine() throws IOException {
    assertThat(machine().claim("m-1")).isEqualTo(new Claim.NotYet("the machine does not answer"));
    Files.createDirectories(folder().resolve("home"));
    assertThat(machine().claim("m-1"))
        .isInstanceOfSatisfying(
            Claim.NotYet.class, not -> assertThat(not.reason()).contains("no file machine-id"));
    // A link could lead to a file that happens to hold the id.
    Files.writeString(base.resolve("other"), "m-1");
    Files.createSymbolicLink(folder().resolve("machine-id"), base.resolve("other"));
    assertThat(machine().claim("m-1")).isInstanceOf(Claim.NotYet.class);
    assertThat(at("/").claim("m-1")).isNotInstanceOf(Claim.Granted.class);
  }

  @Test
  void aMachineOfAnEarlierVersionIsMarkedAtTheNextLook() throws IOException {
    machine().boot();
    Files.delete(folder().resolve("machine-id"));
    assertThat(machine().claim("m-1")).isInstanceOf(Claim.NotYet.class);
    machine().boot();
    assertThat(machine().claim("m-1")).isEqualTo(new Claim.Granted());
  }

  @Test
  void aRelativePathIsRefused() {
    assertRefused(at("m-1").claim("m-1"), "absolute");
    assertRefused(at("").claim("m-1"), "absolute");
  }

  @Test
  void aFolderOfAnotherUserIsRefused() throws IOException {
    machine().boot();
    if (Files.getAttribute(folder(), "unix:uid").equals(0)) {
      Files.setAttribute(folder(), "unix:uid", 65_534);
      assertRefused(machine().claim("m-1"), "another user");
    } else {
      // What belongs to root is another's; on every machine it has a folder for homes.
      assertRefused(at("/").claim("m-1"), "another user");
    }
  }

  @Test
  void aMachineThatWasPoweredOffIsGone() {
    machine().boot();
    machine().powerOff();
    machine().powerOff();
    assertThat(folder()).doesNotExist();
    assertThat(machine().isThere()).isFalse();
  }
}
