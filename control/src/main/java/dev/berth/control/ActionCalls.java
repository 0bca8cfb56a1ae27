package dev.berth.control;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.BackendKey;
import dev.berth.model.JobRequest;
import dev.berth.model.MachineRequest;
import dev.berth.model.Resource;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Tags;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Makes the call to a backend that an action stands for, and says how it went. */
final class ActionCalls {
  private static final System.Logger LOG = System.getLogger(ActionCalls.class.getName());

  /** No call takes longer than this, says the contract. */
  private static final Duration LONGEST_CALL = Duration.ofMinutes(1);

  /** Where lists do not lag, a second look needs no more than a breath. */
  private static final Duration SHORT_PAUSE = Duration.ofSeconds(5);

  /** A job's folder has its key as name, and a machine has one folder of a name. */
  private static final Identity ON_MACHINES = new Identity.UniqueName();

  private final Map<String, Compute> backends;
  private final MachineLinks machines;
  private final Owner owner;
  private final InstantSource clock;
  private final FailPoint.Observer failPoints;
  private final LongSupplier newestSeq;
  private final SecretFilling secrets;
  private final LastLook lastLook;
  private final Office office;

  /**
   * Calls whoever is there when it is called.
   *
   * @param backends may change while this is used
   * @param machines on which Berth runs jobs itself
   * @param owner whose mark everything carries that is made
   * @param newestSeq the number of the newest event, which everything carries that is made
   * @param secrets what jobs are started with besides what is stored of them
   * @param lastLook who is asked before a machine is given back
   * @param office asked right before whatever changes something
   */
  ActionCalls(
      Map<String, Compute> backends,
      MachineLinks machines,
      Owner owner,
      InstantSource clock,
      FailPoint.Observer failPoints,
      LongSupplier newestSeq,
      SecretSource secrets,
      LastLook lastLook,
      Office office) {
    this.backends = backends;
    this.machines = machines;
    this.owner = owner;
    this.clock = clock;
    this.failPoints = failPoints;
    this.newestSeq = newestSeq;
    this.secrets = new SecretFilling(secrets);
    this.lastLook = lastLook;
    this.office = office;
  }

  /**
   * Makes the call.
   *
   * @param again whether somebody may have made it before, without a report
   */
  ActionOutcome call(Action action, boolean again) {
    Compute backend = backends.get(action.backend());
    if (backend == null || !canCarryOut(action, backend)) {
      return new ActionOutcome.Parked(
          "waiting for the backend '"
              + BackendKey.name(action.backend())
              + "', which is not open; if it was removed, add it again");
    }
    Identity identity = identity(action, backend);
    if (again && action.type().makes() && identity instanceof Identity.Lookup lookup) {
      return ActionOutcome.Failed.inDoubt(
          "the server stopped while the request was in progress", unclearFor(lookup));
    }
    JobRequest job;
    try {
      job = action.type() == Action.Type.START_JOB ? secrets.filled(action.requireJob()) : null;
    } catch (SecretFilling.Missing e) {
      String message = String.valueOf(e.getMessage());
      // A call that was made before may have started it all the same.
      return mayComeLate(action, again)
          ? ActionOutcome.Failed.inDoubt(message, lateFor(identity))
          : new ActionOutcome.MissingSecret(message);
    }
    return hidden(call(action, again, backend, job), job);
  }

  /** What a backend says of a job may quote what it was given, and is kept. */
  private static ActionOutcome hidden(ActionOutcome outcome, @Nullable JobRequest job) {
    return outcome instanceof ActionOutcome.Failed failed && job != null
        ? failed.saying(SecretFilling.mask(job).hide(failed.message()))
        : outcome;
  }

  private ActionOutcome call(
      Action action, boolean again, Compute backend, @Nullable JobRequest job) {
    Identity identity = identity(action, backend);
    failPoints.reached(FailPoint.BEFORE_ACTION);
    try {
      ActionOutcome outcome = call(action, backend, job);
      failPoints.reached(FailPoint.AFTER_ACTION);
      return outcome;
    } catch (BackendException.NoCapacity | BackendException.QuotaExceeded e) {
      String message = String.valueOf(e.getMessage());
      LOG.log(System.Logger.Level.INFO, action.id() + " finds no place: " + hide(message, job));
      return mayComeLate(action, again)
          ? ActionOutcome.Failed.inDoubt(message, lateFor(identity))
          : ActionOutcome.Failed.soldOut(message);
    } catch (BackendException.RateLimited e) {
      String message = String.valueOf(e.getMessage());
      // This call made nothing, which says nothing about one of a server before us.
      return again && action.type().makes()
          ? ActionOutcome.Failed.inDoubt(message, lateFor(identity))
          : new ActionOutcome.Failed(message, true, false, e.delay(), null);
    } catch (BackendException e) {
      String message = String.valueOf(e.getMessage());
      LOG.log(System.Logger.Level.WARNING, action.id() + " failed: " + hide(message, job));
      return new ActionOutcome.Failed(
          message,
          e.isRetryable(),
          false,
          null,
          // To ask again is safe, to give up is not: a server before us may have asked, too.
          mayComeLate(action, again) && (again || !e.isRetryable())
              ? lateFor(identity)
              : e.mayHaveHappened() ? lookAfter(action, identity) : null);
    } catch (RuntimeException | Error e) {
      logUnforeseen(action, e, job);
      return new ActionOutcome.Failed(
          "the backend failed: " + e,
          true,
          false,
          null,
          again && action.type().makes() ? lateFor(identity) : lookAfter(action, identity));
    }
  }

  private static String hide(String message, @Nullable JobRequest job) {
    return job == null ? message : SecretFilling.mask(job).hide(message);
  }

  /** Nobody knows what a failure quotes, so that of a job with secrets is told without. */
  private static void logUnforeseen(Action action, Throwable e, @Nullable JobRequest job) {
    String sentence = action.id() + " failed in a way that its backend did not foresee";
    if (job == null || SecretFilling.mask(job).isNothing()) {
      LOG.log(System.Logger.Level.ERROR, sentence, e);
    } else {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      LOG.log(System.Logger.Level.ERROR, sentence + ": " + hide(trace.toString(), job));
    }
  }

  /** What is known of a call that never came back: nothing. */
  ActionOutcome silent(Action action) {
    Compute backend = backends.get(action.backend());
    return new ActionOutcome.Failed(
        "'%s' did not respond for %d minutes"
            .formatted(BackendKey.name(action.backend()), Dispatcher.PATIENCE.toMinutes()),
        true,
        false,
        null,
        backend == null ? null : lookAfter(action, identity(action, backend)));
  }

  /**
   * Whether a call that was made before may still reach the provider, so that a refusal of this one
   * does not prove that nothing is made.
   */
  private static boolean mayComeLate(Action action, boolean again) {
    return action.type().makes() && (again || action.attempts() > 1);
  }

  private static Duration lateFor(Identity identity) {
    return identity instanceof Identity.Lookup lookup ? unclearFor(lookup) : LONGEST_CALL;
  }

  private static boolean canCarryOut(Action action, Compute backend) {
    return backend.provisioner().isPresent()
        || (action.of() == Resource.Type.JOB && backend.runtime().isPresent());
  }

  private static Identity identity(Action action, Compute backend) {
    return action.machineId() == null ? backend.identity() : ON_MACHINES;
  }

  /** When to look for what may have been made; null where asking again is safe. */
  private static @Nullable Duration lookAfter(Action action, Identity identity) {
    return action.type().makes() && identity instanceof Identity.Lookup lookup
        ? unclearFor(lookup)
        : null;
  }

  private static Duration unclearFor(Identity.Lookup lookup) {
    return lookup.callDeadline().plus(lookup.visibleWithin());
  }

  private ActionOutcome call(Action action, Compute backend, @Nullable JobRequest job) {
    if (action.of() == Resource.Type.JOB) {
      return runtime(action, backend)
          .map(runtime -> callRuntime(action, backend, runtime, job))
          .orElseGet(() -> withoutMachine(action));
    }
    return callProvisioner(action, backend, backend.provisioner().orElseThrow());
  }

  /** Who runs the job; empty if it ran on a machine that is gone. */
  private Optional<JobRuntime> runtime(Action action, Compute backend) {
    String machine = action.machineId();
    return machine == null ? backend.runtime() : machines.require(machine);
  }

  /** What is to be done with a job whose machine is gone, and everything on it. */
  private ActionOutcome withoutMachine(Action action) {
    return switch (action.type()) {
      case START_JOB ->
          throw new BackendException.Permanent("the machine of the job is gone", null);
      case LOOK -> new ActionOutcome.Looked(List.of(), SHORT_PAUSE);
      case STOP_JOB, KILL_JOB, REMOVE_JOB -> new ActionOutcome.Done(clock.instant());
      case CREATE, DELETE -> throw new IllegalStateException("jobs are started and stopped");
    };
  }

  private ActionOutcome callRuntime(
      Action action, Compute backend, JobRuntime runtime, @Nullable JobRequest job) {
    String key = keyOf(action.resourceId());
    if (action.type() != Action.Type.LOOK) {
      awaitOffice();
    }
    switch (action.type()) {
      case START_JOB -> {
        return new ActionOutcome.Done(runtime.start(Objects.requireNonNull(job)));
      }
      case STOP_JOB -> runtime.stop(key, Objects.requireNonNullElse(action.grace(), Duration.ZERO));
      case KILL_JOB -> runtime.kill(key);
      case REMOVE_JOB -> runtime.remove(key);
      case LOOK -> {
        List<Resource.Ref> found =
            runtime.list(owner).stream()
                .filter(key::equals)
                .map(id -> new Resource.Ref(id, "", Map.of()))
                .toList();
        return new ActionOutcome.Looked(found, pause(identity(action, backend)));
      }
      case CREATE, DELETE -> throw new IllegalStateException("jobs are started and stopped");
    }
    return new ActionOutcome.Done(clock.instant());
  }

  private ActionOutcome callProvisioner(Action action, Compute backend, Provisioner provisioner) {
    return switch (action.type()) {
      case CREATE -> {
        CreateRequest request = request(action, backend);
        awaitOffice();
        yield new ActionOutcome.Created(clock.instant(), ref(provisioner.create(request).ref()));
      }
      case LOOK ->
          new ActionOutcome.Looked(
              provisioner.find(owner, action.resourceId()).stream()
                  .filter(found -> found.ref().type() == action.of())
                  .filter(found -> found.state() != Found.State.LEAVING)
                  .map(found -> ref(found.ref()))
                  .toList(),
              pause(backend.identity()));
      case DELETE -> {
        if (action.of() == Resource.Type.INSTANCE) {
          lookOnceMore(action.resourceId());
        }
        awaitOffice();
        provisioner.delete(ref(action));
        yield new ActionOutcome.Done(clock.instant());
      }
      case START_JOB, STOP_JOB, KILL_JOB, REMOVE_JOB ->
          throw new IllegalStateException("machines are made and deleted");
    };
  }

  private void lookOnceMore(String resourceId) {
    try {
      lastLook.beforeDeletion(resourceId);
    } catch (InterruptedException e) {
      // The call was given up, or the server ends: it is made again.
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("the deletion was interrupted", e);
    }
  }

  /**
   * Before the call itself, because whatever was checked earlier may be long ago: the process may
   * have been stopped since.
   */
  void awaitOffice() {
    try {
      office.awaitHeld();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("the call was given up before it was made", e);
    }
  }

  private static Duration pause(Identity identity) {
    return identity instanceof Identity.Lookup lookup ? lookup.visibleWithin() : SHORT_PAUSE;
  }

  private CreateRequest request(Action action, Compute backend) {
    MachineRequest machine = action.requireMachine();
    Tags tags = new Tags(owner, newestSeq.getAsLong(), "", machine.name(), machine.tags());
    if (action.of() == Resource.Type.PLACEMENT_GROUP) {
      return new CreateRequest.PlacementGroup(action.resourceId(), tags, machine.place());
    }
    return new CreateRequest.Machine(
        action.resourceId(),
        tags,
        machine.place(),
        machine.diskMib(),
        "",
        List.of(),
        List.of(),
        group(machine, backend));
  }

  private static @Nullable ResourceRef group(MachineRequest machine, Compute backend) {
    MachineRequest.Group group = machine.placementGroup();
    if (group == null) {
      return null;
    }
    ResourceRef ref = ref(Resource.Type.PLACEMENT_GROUP, group.key(), group.ref());
    if (backend.placementGroups().filter(groups -> groups.suits(ref, machine.place())).isEmpty()) {
      throw new BackendException.Permanent(
          "machines of type "
              + machine.place().instanceType()
              + " cannot be in the placement group "
              + ref.id(),
          null);
    }
    return ref;
  }

  private static Resource.Ref ref(ResourceRef ref) {
    return new Resource.Ref(ref.id(), ref.region(), ref.data());
  }

  private static ResourceRef ref(Action action) {
    Resource.Ref ref = Objects.requireNonNull(action.ref(), "what is deleted was named");
    return ref(action.of(), action.resourceId(), ref);
  }

  /** What names a resource to its provider. */
  static ResourceRef ref(Resource.Type type, String id, Resource.Ref ref) {
    return new ResourceRef(type, keyOf(id), ref.id(), ref.region(), ref.data());
  }

  /** The key that a resource carries; of what has no owner it is a part of the id. */
  private static String keyOf(String id) {
    int mark = id.indexOf('~');
    return mark < 0 ? id : id.substring(0, mark);
  }
}
