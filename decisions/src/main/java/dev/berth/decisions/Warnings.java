package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.JobObservation;
import java.util.List;
import java.util.Map;

/** What jobs have to do without, which is kept with their attempts. */
final class Warnings {
  /** So many of one attempt are kept: a backend must not fill the ledger with them. */
  static final int MOST = 20;

  private Warnings() {}

  /** Takes note of what a backend says that the job does without; of each sentence once. */
  static Attempt seen(Draft draft, Attempt known, JobObservation observation) {
    Attempt attempt = known;
    for (String sentence : sentences(observation)) {
      if (attempt.warnings().size() < MOST && !attempt.warnings().contains(sentence)) {
        attempt = attempt.warned(sentence);
        draft.put(attempt);
        draft.event("attempt.warned", attempt, Event.SERVER, Map.of("message", sentence));
      }
    }
    return attempt;
  }

  private static List<String> sentences(JobObservation observation) {
    return switch (observation) {
      case JobObservation.Running running -> running.warnings();
      case JobObservation.Exited exited -> exited.warnings();
      case JobObservation.Prepared _, JobObservation.Lost _, JobObservation.Absent _ -> List.of();
    };
  }
}
