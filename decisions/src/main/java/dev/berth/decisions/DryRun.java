package dev.berth.decisions;

import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.model.spec.RunSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What would become of a run if it were in line now. It is submitted to a draft, placed by the real
 * rules among those who are in front of it, and forgotten.
 */
final class DryRun {
  /** No run has such a name, and no thing such an id; it comes after all ids that there are. */
  private static final String NAME = "~explained";

  private final View view;
  private final OfferView offers;
  private final Explanation.Question question;
  private final Instant now;

  DryRun(View view, OfferView offers, Explanation.Question question, Instant now) {
    this.view = view;
    this.offers = offers;
    this.question = question;
    this.now = now;
  }

  /** Where it ends. */
  enum Outcome {
    PLACED,
    /** There is something that could take it, and does not now. */
    WAITS,
    NOTHING
  }

  /**
   * An outcome.
   *
   * @param place what it was placed on, in words; null where it was not
   */
  record Result(Outcome outcome, @Nullable String place) {}

  Result of(RunSpec run) {
    Draft draft = new Draft(view);
    Placement waiting = question.waiting();
    if (waiting != null) {
      draft.delete(waiting);
    }
    RunLife.submit(draft, submission(run.once()), now);
    Placement placement = draft.find(Placement.class, NAME + "-0-p1").orElseThrow();
    Placement inLine = waiting == null ? placement : asOld(placement, waiting);
    draft.put(inLine);
    skipThoseBehind(draft, inLine, waiting == null ? inLine.id() : waiting.id());
    new Scheduler(draft, offers, now).pass();
    return result(draft);
  }

  /** Without a schedule and a second try, which would hide what becomes of it now. */
  private Message.Submit submission(RunSpec once) {
    return new Message.Submit(NAME, question.project(), "", NAME, Map.of(), once);
  }

  /** With the place in the line, and the offers tried in vain, of one that waits. */
  private static Placement asOld(Placement placement, Placement waiting) {
    return new Placement(
        placement.id(),
        placement.project(),
        placement.runId(),
        placement.replica(),
        placement.phase(),
        placement.members(),
        waiting.tried(),
        waiting.since(),
        placement.wishes(),
        waiting.priority(),
        placement.shape(),
        placement.trials(),
        null,
        placement.windowSince());
  }

  private static void skipThoseBehind(Draft draft, Placement own, String id) {
    for (Placement other : List.copyOf(draft.active(Placement.class))) {
      boolean waits = other.phase() == Placement.State.RESERVING && !other.id().equals(own.id());
      if (waits && isBehind(other, own, id)) {
        draft.delete(other);
      }
    }
  }

  private static boolean isBehind(Placement other, Placement own, String id) {
    if (other.priority() != own.priority()) {
      return other.priority() < own.priority();
    }
    int later = other.since().compareTo(own.since());
    return later > 0 || (later == 0 && other.id().compareTo(id) > 0);
  }

  private static Result result(Draft draft) {
    Placement after = draft.find(Placement.class, NAME + "-0-p1").orElseThrow();
    return switch (after.phase()) {
      case RESERVING -> new Result(Outcome.WAITS, null);
      case CREATING, READY -> new Result(Outcome.PLACED, place(draft));
      case UNWINDING, CLOSED -> new Result(Outcome.NOTHING, null);
    };
  }

  private static String place(Draft draft) {
    String instance =
        draft.events().stream()
            .filter(event -> event.kind().equals("attempt.placed"))
            .filter(event -> event.entityId().startsWith(NAME))
            .map(Event::data)
            .map(data -> place(data))
            .findFirst()
            .orElse("");
    Run run = draft.find(Run.class, NAME).orElseThrow();
    return Wording.place(instance, run.price() == null ? 0 : run.price());
  }

  /** A machine has a name within its backend; an offer begins with that of its backend. */
  private static String place(Map<String, ? extends @Nullable Object> data) {
    String instance = String.valueOf(data.get("instance"));
    String backend = data.get("backend") + "/";
    return instance.startsWith(backend) ? instance : backend + instance;
  }
}
