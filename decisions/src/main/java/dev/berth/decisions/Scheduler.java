package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import dev.berth.model.offers.CatalogItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One pass over those who wait for a place, in the order in which they came. Nobody overtakes on
 * machines that are there: where one has to wait for one, those behind wait for machines too.
 * Offers are not scarce in that way, so they can be taken past who waits for a machine.
 */
final class Scheduler {
  private static final Duration ACTION_DEADLINE = Duration.ofMinutes(10);

  private final Draft draft;
  private final Market market;
  private final Instant now;

  /** Whether somebody in front waits for a machine. */
  private boolean machinesAwaited;

  Scheduler(Draft draft, Market market, Instant now) {
    this.draft = draft;
    this.market = market;
    this.now = now;
  }

  void pass() {
    for (Placement placement : List.copyOf(draft.active(Placement.class))) {
      if (placement.phase() == Placement.State.RESERVING) {
        place(placement);
      }
    }
  }

  /** Places one, ends it where nothing could ever take it, or lets it wait. */
  private void place(Placement placement) {
    Attempt attempt = draft.find(Attempt.class, placement.members().getFirst()).orElseThrow();
    Job job = draft.find(Job.class, attempt.jobId()).orElseThrow();
    JobSpec.Requirements needs = job.spec().requirements();
    Wishes wishes = placement.wishes();
    List<Instance> machines =
        draft.active(Instance.class).stream()
            .filter(machine -> wishes == null || wishes.allow(machine.backend(), machine.backend()))
            .toList();
    // What is there costs nothing, so it is waited for before anything is bought.
    if (machines.stream().anyMatch(machine -> Fitting.fitsEver(needs, machine))) {
      if (!machinesAwaited && !takeMachine(placement, attempt, job, machines)) {
        machinesAwaited = true;
      }
      return;
    }
    Optional<Shopping.Choice> choice =
        wishes == null ? Optional.empty() : Shopping.next(market, wishes, placement);
    if (choice.isPresent()) {
      buy(placement, attempt, job, choice.get());
    } else if (isKnown(placement) && !(machines.isEmpty() && market.candidates().isEmpty())) {
      AttemptLife.end(
          draft,
          attempt,
          JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY,
          nothingLeft(placement, attempt),
          null,
          now);
    }
  }

  /**
   * Whether the market was asked since the search began, so that finding nothing means something.
   */
  private boolean isKnown(Placement placement) {
    return market.complete() && !market.asOf().isBefore(placement.since());
  }

  private String nothingLeft(Placement placement, Attempt attempt) {
    int tried = placement.tried().size();
    if (tried > 0) {
      String last = attempt.message() == null ? "" : ": " + attempt.message();
      return "none of the " + tried + (tried == 1 ? " offer" : " offers") + " could be had" + last;
    }
    if (market.candidates().isEmpty()) {
      return "no machine has what 'resources' asks for";
    }
    Wishes wishes = placement.wishes();
    int matching = wishes == null ? 0 : Shopping.suitable(market, wishes).size();
    return switch (matching) {
      case 0 -> "no machine and no offer has what is asked for; berth offer shows what there is";
      case 1 -> "the only offer that matches cannot be had now; berth plan says why";
      default ->
          "none of the " + matching + " offers that match can be had now; berth plan says why";
    };
  }

  private boolean takeMachine(
      Placement placement, Attempt attempt, Job job, List<Instance> machines) {
    for (Instance machine : machines) {
      Optional<ResourceVector> share = Fitting.share(job.spec().requirements(), machine);
      if (share.isPresent()) {
        draft.put(machine.allocate(attempt.id(), share.get()));
        start(
            placement,
            attempt.placedOn(machine, machine.price()),
            job,
            machine.backend(),
            new JobRequest(attempt.id(), job.spec(), share.get()),
            Map.of("instance", machine.name(), "backend", machine.backend()));
        return true;
      }
    }
    return false;
  }

  private void buy(Placement placement, Attempt attempt, Job job, Shopping.Choice choice) {
    CatalogItem item = choice.candidate().item();
    String backend = choice.candidate().backend();
    ResourceVector share =
        new ResourceVector(
            1,
            item.cpus(),
            item.memoryMib(),
            item.diskMib() == null ? 0 : item.diskMib(),
            Set.of());
    start(
        placement,
        attempt.placedAt(backend, item.price()),
        job,
        backend,
        new JobRequest(
            attempt.id(),
            job.spec(),
            share,
            choice.place(),
            placement.wishes() == null ? null : placement.wishes().container()),
        Map.of("instance", choice.key(), "backend", backend, "price", item.price()));
  }

  private void start(
      Placement placement,
      Attempt placed,
      Job job,
      String backend,
      JobRequest request,
      Map<String, Object> told) {
    String actionId = placed.id() + "-start";
    draft.put(placed);
    draft
        .find(Run.class, placed.runId())
        .ifPresent(run -> draft.put(run.placedOn(backend, placed.price())));
    draft.put(job.in(JobStatus.PROVISIONING, null));
    draft.put(placement.in(Placement.State.CREATING));
    draft.put(
        new Resource(
            placed.id(),
            placed.project(),
            placed.id(),
            backend,
            Resource.Type.JOB,
            Resource.State.ASKED,
            null,
            actionId,
            null));
    draft.put(
        new Action(
            actionId,
            Action.Type.START_JOB,
            placed.id(),
            backend,
            request,
            null,
            Action.State.IN_FLIGHT,
            1,
            null,
            now.plus(ACTION_DEADLINE)));
    draft.event("attempt.placed", placed, Event.SERVER, told);
    RunLife.follow(draft, placed.runId(), now);
  }
}
