package dev.berth.acceptance;

import dev.berth.ledger.Ledger;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunRequest;
import java.util.List;

/** Where the jobs of a crash round run, with what has to be right there besides the jobs. */
interface CrashPlace {
  /** The server's own machine, which is there by itself. */
  CrashPlace LOCAL =
      new CrashPlace() {
        @Override
        public void open(CrashRound round) {}

        @Override
        public RunRequest request(CrashJob job) {
          return job.request();
        }

        @Override
        public void submitted(CrashRound round, CrashJob job) {}

        @Override
        public boolean givesBack() {
          return false;
        }

        @Override
        public void awaitGivenBack(CrashRound round) {}

        @Override
        public void check(
            TestHome home, Ledger ledger, List<EventView> events, List<RunDetail> runs) {}

        @Override
        public String toString() {
          return "local";
        }
      };

  /** Makes the place of a round. */
  interface Maker {
    CrashPlace at(long seed, int round);
  }

  /** Prepares the place before the first crash is planned. */
  void open(CrashRound round);

  RunRequest request(CrashJob job);

  /** A job was submitted, and the next one is as soon as this returns. */
  void submitted(CrashRound round, CrashJob job);

  /** Whether there is something to give back, so that servers die over that too. */
  boolean givesBack();

  /** Waits until everything is given back that was made for the jobs. */
  void awaitGivenBack(CrashRound round);

  /**
   * Checks what is left after the last server, and what was there before.
   *
   * @param events all events of the round
   * @param runs all runs with their attempts
   */
  void check(TestHome home, Ledger ledger, List<EventView> events, List<RunDetail> runs);
}
