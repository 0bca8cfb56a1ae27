package dev.berth.simulation;

import dev.berth.control.Codec;
import dev.berth.ledger.ActionRow;
import dev.berth.ledger.ActionState;
import dev.berth.ledger.Commit;
import dev.berth.ledger.Committed;
import dev.berth.ledger.ForwardingLedger;
import dev.berth.ledger.IdempotencyKey;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.ReplyLookup;
import dev.berth.ledger.Stored;
import dev.berth.ledger.Tenure;
import dev.berth.model.Action;
import dev.berth.model.Operation;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ways between the loop and its ledger that are broken. */
final class BrokenLedgers {
  private BrokenLedgers() {}

  /** Nobody remembers which requests were answered. */
  static final class ForgetsKeys extends ForwardingLedger {
    ForgetsKeys(Ledger inner) {
      super(inner);
    }

    @Override
    public ReplyLookup findReply(String realm, IdempotencyKey key, String requestHash) {
      return new ReplyLookup.Unseen();
    }

    @Override
    public Committed commit(Tenure tenure, Commit commit) {
      return super.commit(
          tenure,
          new Commit(
              commit.puts(), commit.deletes(), commit.events(), commit.actions(), List.of()));
    }
  }

  /** Whoever was taken over writes on. */
  static final class SkipsTheFence extends ForwardingLedger {
    private @Nullable Tenure newest;

    SkipsTheFence(Ledger inner) {
      super(inner);
    }

    @Override
    public Tenure takeOver(String realm, String owner) {
      newest = super.takeOver(realm, owner);
      return newest;
    }

    @Override
    public Optional<Tenure> takeOverIfSilent(
        String realm, String owner, long epoch, Duration silence) {
      Optional<Tenure> begun = super.takeOverIfSilent(realm, owner, epoch, silence);
      newest = begun.orElse(newest);
      return begun;
    }

    @Override
    public Committed commit(Tenure tenure, Commit commit) {
      return super.commit(newest == null ? tenure : newest, commit);
    }
  }

  /** What was under way when a server died is not taken up again. */
  static final class ForgetsWhatWasUnderWay extends ForwardingLedger {
    ForgetsWhatWasUnderWay(Ledger inner) {
      super(inner);
    }

    @Override
    public List<Stored<ActionRow>> unfinishedActions(String realm) {
      return List.of();
    }
  }

  /** Jobs are started before it is written down that they shall be. */
  static final class StartsBeforeTheCommit extends ForwardingLedger {
    private final World world;

    StartsBeforeTheCommit(World world, Ledger inner) {
      super(inner);
      this.world = world;
    }

    @Override
    public Committed commit(Tenure tenure, Commit commit) {
      for (ActionRow row : commit.actions()) {
        if (row.state() == ActionState.IN_FLIGHT) {
          start(Codec.action(row));
        }
      }
      return super.commit(tenure, commit);
    }

    private void start(Action action) {
      if (!(action.operation() instanceof Operation.StartJob job)) {
        return;
      }
      try {
        world.provider(action.backend()).compute().runtime().orElseThrow().start(job.request());
      } catch (BackendException e) {
        world.note("  too early, and it did not work: " + e.getMessage());
      }
    }
  }
}
