package dev.berth.control;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.BackendKey;
import dev.berth.model.JobRequest;
import dev.berth.model.Labels;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.PlacementGroupRequest;
import dev.berth.model.Resource;
import dev.berth.model.ResourceRequest;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
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
  private final SecretFilling secrets;
  private final ReleaseGate releaseGate;
  private final Leadership leadership;

  /**
   * Calls whoever is there when it is called.
   *
   * @param backends may change while this is used
   * @param machines on which Berth runs jobs itself
   * @param owner whose mark everything carries that is made
   * @param secrets what jobs are started with besides what is stored of them
   * @param releaseGate who is asked before a machine is given back
   * @param leadership asked right before whatever changes something
   */
  ActionCalls(
      Map<String, Compute> backends,
      MachineLinks machines,
      Owner owner,
      InstantSource clock,
      FailPoint.Observer failPoints,
      SecretSource secrets,
      ReleaseGate releaseGate,
      Leadership leadership) {
    this.backends = backends;
    this.machines = machines;
    this.owner = owner;
    this.clock = clock;
    this.failPoints = failPoints;
    this.secrets = new SecretFilling(secrets);
    this.releaseGate = releaseGate;
    this.leadership = leadership;
  }

  /**
   * Makes the call.
   *
   * @param again whether somebody may have made it before, without a report
   */
  ActionOutcome call(Action action, boolean again) {
    Compute backend = backends.get(action.backend());
    if (backend == null || !canCarryOut(action, backend)) {
      String message =
          "waiting for the backend '"
              + BackendKey.name(action.backend())
              + "', which is not open; if it was removed, add it again";
      // One that is parked counts as not made, and a server before us may have made this one.
      return again && action.type().makes()
          ? ActionOutcome.Failed.inDoubt(message, LONGEST_CALL)
          : new ActionOutcome.Parked(message);
    }
    Identity identity = identity(action, backend);
    if (again && action.type().makes() && identity instanceof Identity.Lookup) {
      return ActionOutcome.Failed.inDoubt(
          "the server stopped while the request was in progress", unclearFor(identity));
    }
    JobRequest job;
    try {
      job =
          action.operation() instanceof Operation.StartJob start
              ? secrets.filled(start.request())
              : null;
    } catch (SecretFilling.Missing e) {
      String message = String.valueOf(e.getMessage());
      // A call that was made before may have started it all the same.
      return mayComeLate(action, again)
          ? ActionOutcome.Failed.inDoubt(message, unclearFor(identity))
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
      if (again) {
        awaitMachine(action);
      }
      ActionOutcome outcome = call(action, backend, job);
      failPoints.reached(FailPoint.AFTER_ACTION);
      return outcome;
    } catch (BackendException.NoCapacity | BackendException.QuotaExceeded e) {
      String message = String.valueOf(e.getMessage());
      LOG.log(System.Logger.Level.INFO, action.id() + " finds no place: " + hide(message, job));
      return mayComeLate(action, again)
          ? ActionOutcome.Failed.inDoubt(message, unclearFor(identity))
          : ActionOutcome.Failed.soldOut(message);
    } catch (BackendException.RateLimited e) {
      String message = String.valueOf(e.getMessage());
      // This call made nothing, which says nothing about one of a server before us.
      return again && action.type().makes()
          ? ActionOutcome.Failed.inDoubt(message, unclearFor(identity))
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
              ? unclearFor(identity)
              : e.mayHaveHappened() ? lookAfter(action, identity) : null);
    } catch (RuntimeException | Error e) {
      logUnforeseen(action, e, job);
      return new ActionOutcome.Failed(
          "the backend failed: " + e,
          true,
          false,
          null,
          again && action.type().makes() ? unclearFor(identity) : lookAfter(action, identity));
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

  private static boolean canCarryOut(Action action, Compute backend) {
    return backend.provisioner().isPresent()
        || (action.of() == ResourceType.JOB && backend.runtime().isPresent());
  }

  private static Identity identity(Action action, Compute backend) {
    return action.machineId() == null ? backend.identity() : ON_MACHINES;
  }

  /** When to look for what may have been made; null where asking again is safe. */
  private static @Nullable Duration lookAfter(Action action, Identity identity) {
    return action.type().makes() && identity instanceof Identity.Lookup
        ? unclearFor(identity)
        : null;
  }

  /** Until when a call that was made may take effect, and what it made may not be shown. */
  private static Duration unclearFor(Identity identity) {
    Duration sent =
        identity instanceof Identity.Lookup lookup ? lookup.callDeadline() : LONGEST_CALL;
    return sent.plus(identity.visibleWithin());
  }

  private ActionOutcome call(Action action, Compute backend, @Nullable JobRequest job) {
    return switch (action.operation()) {
      case Operation.OnJob operation ->
          runtime(action, backend)
              .map(runtime -> callRuntime(action, operation, backend, runtime, job))
              .orElseGet(() -> withoutMachine(operation));
      case Operation.OnResource operation ->
          callProvisioner(action, operation, backend, backend.provisioner().orElseThrow());
    };
  }

  /** Who runs the job; empty if it ran on a machine that is gone. */
  private Optional<JobRuntime> runtime(Action action, Compute backend) {
    String machine = action.machineId();
    return machine == null ? backend.runtime() : machines.require(machine);
  }

  /** What is to be done with a job whose machine is gone, and everything on it. */
  private ActionOutcome withoutMachine(Operation.OnJob operation) {
    return switch (operation) {
      case Operation.StartJob _ ->
          throw new BackendException.Permanent("the machine of the job is gone", null);
      case Operation.FindJob _ -> new ActionOutcome.Looked(List.of(), SHORT_PAUSE);
      case Operation.StopJob _,
          Operation.KillJob _,
          Operation.ReleaseJob _,
          Operation.RemoveJob _ ->
          new ActionOutcome.Done(clock.instant());
    };
  }

  private ActionOutcome callRuntime(
      Action action,
      Operation.OnJob operation,
      Compute backend,
      JobRuntime runtime,
      @Nullable JobRequest job) {
    String key = keyOf(action.resourceId());
    if (operation instanceof Operation.ReleaseJob) {
      lookOnceMore(action.resourceId());
    }
    if (!(operation instanceof Operation.FindJob)) {
      awaitOffice();
    }
    switch (operation) {
      case Operation.StartJob _ -> {
        return new ActionOutcome.Done(runtime.start(Objects.requireNonNull(job)));
      }
      case Operation.StopJob stop -> runtime.stop(key, stop.grace());
      case Operation.KillJob _ -> runtime.kill(key);
      case Operation.ReleaseJob _ -> runtime.release(key);
      case Operation.RemoveJob _ -> runtime.remove(key);
      case Operation.FindJob _ -> {
        List<Resource.Ref> found =
            runtime.list(owner).stream()
                .filter(key::equals)
                .map(id -> new Resource.Ref(id, "", Map.of()))
                .toList();
        return new ActionOutcome.Looked(found, pause(identity(action, backend)));
      }
    }
    return new ActionOutcome.Done(clock.instant());
  }

  private ActionOutcome callProvisioner(
      Action action, Operation.OnResource operation, Compute backend, Provisioner provisioner) {
    return switch (operation) {
      case Operation.Create create -> {
        CreateRequest request = request(action.resourceId(), create.request(), backend);
        awaitOffice();
        yield new ActionOutcome.Created(
            clock.instant(), ref(accepted(provisioner.create(request)).ref()));
      }
      case Operation.Find find ->
          new ActionOutcome.Looked(
              provisioner.find(owner, action.resourceId(), find.request().place().region()).stream()
                  .filter(found -> found.ref().type() == action.of())
                  .filter(found -> found.state() != Found.State.LEAVING)
                  .filter(found -> found.state() != Found.State.REFUSED)
                  .map(found -> ref(found.ref()))
                  .toList(),
              pause(backend.identity()));
      case Operation.Delete delete -> {
        if (delete.of() == ResourceType.INSTANCE) {
          lookOnceMore(action.resourceId());
        }
        awaitOffice();
        provisioner.delete(ref(delete.of(), action.resourceId(), delete.ref()));
        yield new ActionOutcome.Done(clock.instant());
      }
    };
  }

  /** A refusal that is in the answer itself is the same as one that is thrown. */
  private static Found accepted(Found made) {
    return switch (made.refusal()) {
      case null -> made;
      case NO_CAPACITY, OTHER -> throw new BackendException.NoCapacity(said(made));
      case QUOTA -> throw new BackendException.QuotaExceeded(said(made));
    };
  }

  private static String said(Found refused) {
    return refused.detail().isEmpty()
        ? Objects.requireNonNull(refused.refusal()).sentence()
        : refused.detail();
  }

  private void lookOnceMore(String resourceId) {
    try {
      releaseGate.beforeDeletion(resourceId);
    } catch (InterruptedException e) {
      // The call was given up, or the server ends: it is made again.
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("the deletion was interrupted", e);
    }
  }

  /**
   * Right after a server has started, its machines are not connected. A start that would fail for
   * that reason alone would be in doubt for long.
   */
  private void awaitMachine(Action action) {
    String machine = action.machineId();
    try {
      if (machine != null) {
        machines.awaitConnection(machine);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("the call was given up before it was made", e);
    }
  }

  /**
   * Before the call itself, because whatever was checked earlier may be long ago: the process may
   * have been stopped since.
   */
  void awaitOffice() {
    try {
      leadership.awaitHeld();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("the call was given up before it was made", e);
    }
  }

  private static Duration pause(Identity identity) {
    return identity instanceof Identity.Lookup lookup ? lookup.visibleWithin() : SHORT_PAUSE;
  }

  private CreateRequest request(String key, ResourceRequest wanted, Compute backend) {
    Marks marks = new Marks(owner, key, wanted.seq());
    Map<String, String> labels = new TreeMap<>(wanted.tags());
    labels.put(Labels.NAME, wanted.name());
    return switch (wanted) {
      case PlacementGroupRequest group ->
          new CreateRequest.PlacementGroup(marks, labels, group.place());
      case MachineRequest machine -> {
        // It was pinned when the machine was ordered, perhaps by another version.
        backend.bootWay(machine.requireOffer()).require(machine.boot().text());
        yield new CreateRequest.Machine(
            marks,
            labels,
            machine.place(),
            machine.requireOffer(),
            machine.diskMib(),
            machine.boot().text(),
            machine.boot().sshKeys(),
            List.of(),
            group(machine, backend));
      }
    };
  }

  private static @Nullable ResourceRef group(MachineRequest machine, Compute backend) {
    MachineRequest.Group group = machine.placementGroup();
    if (group == null) {
      return null;
    }
    ResourceRef ref = ref(ResourceType.PLACEMENT_GROUP, group.key(), group.ref());
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

  /** What names a resource to its provider. */
  static ResourceRef ref(ResourceType type, String id, Resource.Ref ref) {
    return new ResourceRef(type, keyOf(id), ref.id(), ref.region(), ref.data());
  }

  /** The key that a resource carries; of what has no owner it is a part of the id. */
  private static String keyOf(String id) {
    int mark = id.indexOf('~');
    return mark < 0 ? id : id.substring(0, mark);
  }
}
