package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Container;
import dev.berth.model.Endpoint;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.spec.NodeAddresses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts the jobs of a replica when all its members have a place that is ready, in their order. */
final class Starts {
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  /** The address of a node that has no other. */
  private static final String ITSELF = "127.0.0.1";

  private Starts() {}

  /** Starts whatever can be started now. */
  static void proceed(Draft draft, Placement placement, Instant now) {
    if (placement.phase() != Placement.State.CREATING) {
      return;
    }
    List<Attempt> members = members(draft, placement);
    if (!members.stream().allMatch(member -> hasReadyPlace(draft, member))) {
      return;
    }
    StartupOrder order =
        draft
            .find(Run.class, placement.runId())
            .map(run -> run.policy().startupOrder())
            .orElse(StartupOrder.ANY);
    for (Attempt member : members) {
      boolean waits = draft.find(Resource.class, member.id()).isEmpty();
      if (waits
          && member.status() == JobStatus.PROVISIONING
          && isItsTurn(draft, order, member.id(), placement.members())) {
        start(draft, placement, member, now);
      }
    }
  }

  /** Those that have not ended. */
  private static List<Attempt> members(Draft draft, Placement placement) {
    return placement.members().stream()
        .flatMap(member -> draft.find(Attempt.class, member).stream())
        .filter(Attempt::active)
        .toList();
  }

  private static boolean hasReadyPlace(Draft draft, Attempt attempt) {
    String id = attempt.instanceId();
    return id != null
        && draft
            .find(Instance.class, id)
            .filter(instance -> instance.status().isReady())
            .isPresent();
  }

  private static boolean isItsTurn(
      Draft draft, StartupOrder order, String member, List<String> members) {
    boolean master = member.equals(members.getFirst());
    return switch (order) {
      case ANY -> true;
      case MASTER_FIRST -> master || hasStarted(draft, members.getFirst());
      case WORKERS_FIRST ->
          !master || members.stream().skip(1).allMatch(worker -> hasStarted(draft, worker));
    };
  }

  /** Whether it runs, or is done already. */
  private static boolean hasStarted(Draft draft, String member) {
    return draft
        .find(Attempt.class, member)
        .filter(Attempt::active)
        .map(Starts::isRunning)
        .orElse(true);
  }

  private static boolean isRunning(Attempt attempt) {
    return attempt.status() == JobStatus.RUNNING;
  }

  /** One of a replica runs: the others may wait for that, or all are there. */
  static void started(Draft draft, Placement placement, Instant now) {
    proceed(draft, placement, now);
    if (placement.phase() == Placement.State.CREATING
        && members(draft, placement).stream().allMatch(Starts::isRunning)) {
      draft.put(placement.in(Placement.State.READY).had(now));
    }
  }

  private static void start(Draft draft, Placement placement, Attempt attempt, Instant now) {
    Job job = draft.find(Job.class, attempt.jobId()).orElseThrow();
    Instance instance =
        draft.find(Instance.class, String.valueOf(attempt.instanceId())).orElseThrow();
    ResourceVector share =
        Optional.ofNullable(instance.allocations().get(attempt.id()))
            .orElse(ResourceVector.NOTHING);
    JobRequest request = new JobRequest(attempt.id(), spec(draft, placement, job), share);
    draft.put(job.in(JobStatus.PROVISIONING, null));
    Resource resource = job(attempt, instance.backend());
    ask(
        draft,
        instance.isEquippedByUs() ? resource.on(instance.id()) : resource,
        ofRun(attempt.runId(), onMachine(draft, placement, job, instance, request)),
        now);
  }

  /** A job on a machine that we bought, or with an engine of its own, runs in a container there. */
  private static JobRequest onMachine(
      Draft draft, Placement placement, Job job, Instance instance, JobRequest request) {
    Place place = instance.bought().map(purchase -> purchase.place()).orElse(null);
    Resource.Ref ref = draft.find(Resource.class, instance.id()).map(Resource::ref).orElse(null);
    Optional<Container> container = placement.wishesOf(job.rank()).map(Wishes::container);
    if (instance.engine() != null) {
      return container.map(request::in).orElse(request);
    }
    if (place == null || ref == null || instance.isEquippedByUs()) {
      return request;
    }
    JobRequest placed = request.at(place.on(ref.id()));
    return container.map(Starts::asRoot).map(placed::in).orElse(placed);
  }

  /** What of a job is known only when all members have a place: where they are. */
  private static JobSpec spec(Draft draft, Placement placement, Job job) {
    List<String> addresses = new ArrayList<>();
    for (String member : placement.members()) {
      addresses.add(address(draft, member));
    }
    if (addresses.size() == 1) {
      return job.spec().with(Map.of(), NodeAddresses.filledIn(job.spec().commands(), addresses));
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (String prefix : List.of("BERTH_", "DSTACK_")) {
      variables.put(prefix + "NODES_IPS", String.join("\n", addresses));
      variables.put(prefix + "MASTER_NODE_IP", addresses.getFirst());
    }
    return job.spec().with(variables, NodeAddresses.filledIn(job.spec().commands(), addresses));
  }

  private static String address(Draft draft, String member) {
    // Of one that is done already nothing is known but the machine that was bought for it.
    String machine =
        draft
            .find(Attempt.class, member)
            .map(Attempt::instanceId)
            .orElseGet(() -> InstanceLife.idFor(member));
    return draft
        .find(Instance.class, machine)
        .flatMap(Instance::bought)
        .map(Purchase::endpoint)
        .map(Starts::addressForOthers)
        .orElse(ITSELF);
  }

  /** All nodes are in one region, where they reach each other by their private addresses. */
  private static String addressForOthers(Endpoint endpoint) {
    return Objects.requireNonNullElse(endpoint.privateAddress(), endpoint.host());
  }

  /** Starts a job that is itself what is bought. */
  static void buy(
      Draft draft,
      Attempt attempt,
      Job job,
      Place place,
      CatalogItem offer,
      @Nullable Wishes wishes,
      ResourceVector share,
      Instant now) {
    List<String> commands = NodeAddresses.filledIn(job.spec().commands(), List.of(ITSELF));
    JobSpec spec = job.spec().with(Map.of(), commands);
    JobRequest request = new JobRequest(attempt.id(), spec, share).buying(place, offer);
    Container container = wishes == null ? null : wishes.container();
    Resource resource = job(attempt, String.valueOf(attempt.backend()));
    ask(
        draft,
        resource,
        ofRun(attempt.runId(), container == null ? request : request.in(asRoot(container))),
        now);
  }

  /** What we put in front of a job that is bought needs root, where nobody names another user. */
  private static Container asRoot(Container container) {
    return container.user() == null ? container.withUser("root") : container;
  }

  /** The job of an attempt, as something that a backend is to have. */
  private static Resource job(Attempt attempt, String backend) {
    return new Resource(
        attempt.id(),
        attempt.project(),
        attempt.id(),
        backend,
        ResourceType.JOB,
        Resource.State.INTENDED,
        null,
        null,
        null);
  }

  /** Not before: wishes of two runs that want the same must be equal. */
  private static JobRequest ofRun(String run, JobRequest request) {
    Container container = request.container();
    return container == null ? request : request.in(container.inRun(run));
  }

  /** Asks the backend for a job, under the key of its resource. */
  static void ask(Draft draft, Resource resource, JobRequest request, Instant now) {
    String id = resource.actionId("start");
    draft.put(resource.in(Resource.State.ASKED, id));
    draft.put(Action.now(id, new Operation.StartJob(request), resource, now.plus(DEADLINE)));
  }
}
