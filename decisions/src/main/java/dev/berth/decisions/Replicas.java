package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.model.Sha256;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes the jobs of a run out of its work list, as many at a time as are worth to be in line. */
final class Replicas {
  /** So many replicas of one run have jobs at the same time; the others are only counted. */
  static final int MOST_AT_ONCE = 200;

  private Replicas() {}

  /** Makes as many as there is room for; returns the run with the rest of its work. */
  static Run make(Draft draft, Run run, Instant now) {
    Work work = run.work();
    if (work == null || work.isAllMade()) {
      return run;
    }
    int active = draft.children(Placement.class, run.id()).size();
    int made = work.made();
    while (made < work.replicas() && active < MOST_AT_ONCE) {
      make(draft, run, work.nodes(), made, now);
      made++;
      active++;
    }
    Work rest = work.withMade(made);
    Run next = run.with(rest.isAllMade() && !run.policy().isScheduled() ? null : rest);
    draft.put(next);
    return next;
  }

  private static void make(Draft draft, Run run, List<Work.Node> nodes, int replica, Instant now) {
    String prefix = run.executionId() + "-" + replica;
    String placementId = prefix + "-p1";
    List<String> members = new ArrayList<>();
    for (int rank = 0; rank < nodes.size(); rank++) {
      Job job =
          new Job(
              prefix + "-" + rank,
              run.project(),
              run.id(),
              replica,
              rank,
              List.of(),
              rank == 0,
              List.of(),
              List.of(),
              RunVariables.ofJob(nodes.get(rank).spec(), prefix + "-" + rank),
              JobStatus.SUBMITTED,
              null);
      Attempt attempt = Attempt.of(job, 1, placementId, now);
      draft.put(job);
      draft.put(attempt);
      members.add(attempt.id());
    }
    List<Wishes> wishes = nodes.stream().map(Work.Node::wishes).toList();
    boolean alike = wishes.stream().distinct().count() == 1;
    draft.put(
        new Placement(
            placementId,
            run.project(),
            run.id(),
            replica,
            Placement.State.RESERVING,
            members,
            List.of(),
            run.trigger() == null ? run.submittedAt() : now,
            alike ? List.of(wishes.getFirst()) : wishes,
            run.policy().priority(),
            shape(nodes),
            0,
            null,
            now));
  }

  /** Equal for those who ask for the same, whatever they do there. */
  private static String shape(List<Work.Node> nodes) {
    StringBuilder asked = new StringBuilder();
    nodes.forEach(
        node ->
            asked
                .append(node.wishes())
                .append(node.spec().requirements())
                .append(node.spec().maxDuration())
                .append('\n'));
    return Sha256.of(asked.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 24);
  }
}
