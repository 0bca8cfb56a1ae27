package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.CommitUnknownException;
import dev.berth.ledger.ForwardingLedger;
import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Tenure;
import dev.berth.server.blobs.BlobStore;
import dev.berth.server.blobs.FolderBlobStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The moment in which a server becomes the active one. */
@Timeout(60)
final class TakingOverTest {
  private final CountDownLatch renewed = new CountDownLatch(1);
  private boolean failTakingOver;

  /** As if others could use it, too. */
  private final Ledger ledger =
      new ForwardingLedger(new InMemoryLedger()) {
        @Override
        public boolean isShared() {
          return true;
        }

        @Override
        public void renew(Tenure tenure) {
          super.renew(tenure);
          renewed.countDown();
        }

        @Override
        public Optional<Tenure> takeOverIfSilent(
            String realm, String owner, long epoch, Duration silence) {
          Optional<Tenure> taken = super.takeOverIfSilent(realm, owner, epoch, silence);
          if (failTakingOver) {
            failTakingOver = false;
            throw new CommitUnknownException(
                taken.orElseThrow(), new IllegalStateException("The link broke."));
          }
          return taken;
        }
      };

  @TempDir Path folder;

  @AfterEach
  void close() {
    ledger.close();
  }

  @Test
  void aTakeOverThatWasStoredAndNotKnownToBeIsItsOwn() throws Exception {
    failTakingOver = true;
    Tenure tenure = new Standby(ledger, "me").await(_ -> {}, () -> {});
    assertThat(tenure).isEqualTo(new Tenure(Ledger.MAIN_REALM, "me", 2, 0));
  }

  @Test
  void signsOfLifeBeginBeforeTheEngineDoes() throws Exception {
    try (FirstLease lease = new FirstLease()) {
      lease.begin(ledger, ledger.takeOver(Ledger.MAIN_REALM, "me"));
      assertThat(renewed.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aStoreThatIsMarkedIsNotNeededToTakeOver() throws Exception {
    Tenure tenure = ledger.takeOver(Ledger.MAIN_REALM, "me");
    String mark = Installation.of(ledger, tenure, folder);
    try (BlobStore store = FolderBlobStore.open(folder.resolve("blobs"), InstantSource.system())) {
      Installation.markStore(ledger, tenure, store, mark);
      assertThat(Installation.requireSameStore(ledger, store)).isTrue();
    }
    try (BlobStore other = FolderBlobStore.open(folder.resolve("other"), InstantSource.system())) {
      Installation.markStore(ledger, tenure, other, mark);
    }
    assertThat(Files.exists(folder.resolve("other/installation")))
        .as("a wrong store does not become right")
        .isFalse();
  }
}
