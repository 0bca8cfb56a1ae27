package dev.berth.simulation;

import dev.berth.ledger.Commit;
import dev.berth.ledger.CommitUnknownException;
import dev.berth.ledger.Committed;
import dev.berth.ledger.ForwardingLedger;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import dev.berth.simulation.plan.Trouble;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A ledger whose commits go wrong as the plan says, and which tells of those that were kept. */
final class TroubledLedger extends ForwardingLedger {
  private final Map<Long, Trouble.Fate> fates = new HashMap<>();
  private final World world;
  private long commits;

  TroubledLedger(Ledger inner, World world) {
    super(inner);
    this.world = world;
    for (Trouble trouble : world.plan().troubles()) {
      if (trouble instanceof Trouble.FailedCommit failed) {
        fates.put(failed.number(), failed.fate());
      }
    }
  }

  @Override
  public Tenure takeOver(String realm, String owner) {
    Tenure tenure = super.takeOver(realm, owner);
    world.takenOver(tenure);
    return tenure;
  }

  @Override
  public Optional<Tenure> takeOverIfSilent(
      String realm, String owner, long epoch, Duration silence) {
    Optional<Tenure> tenure = super.takeOverIfSilent(realm, owner, epoch, silence);
    tenure.ifPresent(world::takenOver);
    return tenure;
  }

  @Override
  public Committed commit(Tenure tenure, Commit commit) {
    Trouble.@Nullable Fate drawn = fates.get(++commits);
    // The fence is looked at before the storage can fail in the middle of a commit.
    Trouble.@Nullable Fate fate = tenure.epoch() == world.epoch() ? drawn : null;
    return switch (fate) {
      case null -> keep(tenure, commit);
      case UNKNOWN_KEPT -> {
        keep(tenure, commit);
        throw unknown(tenure);
      }
      case UNKNOWN_LOST -> throw unknown(tenure);
      case REFUSED -> throw new LedgerException(LedgerException.Code.DISK_FULL, "The disk is full");
    };
  }

  private Committed keep(Tenure tenure, Commit commit) {
    Committed committed = super.commit(tenure, commit);
    world.committed(tenure, commit);
    return committed;
  }

  private static CommitUnknownException unknown(Tenure tenure) {
    return new CommitUnknownException(tenure, new IllegalStateException("The disk went away."));
  }
}
