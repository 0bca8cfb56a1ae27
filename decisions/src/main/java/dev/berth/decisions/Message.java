package dev.berth.decisions;

import dev.berth.model.ActionOutcome;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.MachineFacts;
import dev.berth.model.Member;
import dev.berth.model.PolicyNote;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import dev.berth.model.Run;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.spec.RunSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What may set a decision in motion. */
public sealed interface Message {
  /**
   * A user submits a run. The id is fresh.
   *
   * @param written the configuration as it was written, which is shown and compared
   * @param spec what it comes to
   * @param after ids of runs that must succeed first
   * @param dryRuns what policies would have done that are only tried out
   * @param limits how many runs may be active, this one counted
   * @param traceparent the trace that the request is part of, for whoever shows traces; null for
   *     none
   */
  record Submit(
      String runId,
      String project,
      String user,
      String name,
      Map<String, @Nullable Object> written,
      RunSpec spec,
      List<String> after,
      List<PolicyNote> dryRuns,
      RunLimits limits,
      @Nullable String traceparent)
      implements Message {
    public Submit {
      after = List.copyOf(after);
      dryRuns = List.copyOf(dryRuns);
    }

    /** One that nothing limits. */
    public Submit(
        String runId,
        String project,
        String user,
        String name,
        Map<String, @Nullable Object> written,
        RunSpec spec,
        List<String> after) {
      this(runId, project, user, name, written, spec, after, List.of(), RunLimits.NONE, null);
    }

    /** The same, which waits for no other run. */
    public Submit(
        String runId,
        String project,
        String user,
        String name,
        Map<String, @Nullable Object> written,
        RunSpec spec) {
      this(runId, project, user, name, written, spec, List.of());
    }
  }

  /** A user gives a run another priority. */
  record Prioritise(String project, String name, int priority, String actor) implements Message {}

  /**
   * A user makes or changes a fleet. The id is fresh.
   *
   * @param dryRuns what policies would have done that are only tried out
   */
  record ApplyFleet(
      String fleetId,
      String project,
      String user,
      String name,
      Map<String, @Nullable Object> written,
      Fleet.Spec spec,
      List<PolicyNote> dryRuns)
      implements Message {
    /** One that no policy concerns. */
    public ApplyFleet(
        String fleetId,
        String project,
        String user,
        String name,
        Map<String, @Nullable Object> written,
        Fleet.Spec spec) {
      this(fleetId, project, user, name, written, spec, List.of());
    }
  }

  /** A user deletes a fleet with its machines. */
  record DeleteFleet(String project, String name, String actor) implements Message {}

  /** Berth has connected to a machine and can run jobs there. */
  record Equipped(String instanceId, MachineFacts facts) implements Message {}

  /**
   * Berth cannot run jobs on a machine yet.
   *
   * @param permanent whether that will not change
   */
  record NotEquipped(String instanceId, String message, boolean permanent) implements Message {}

  /** A provider shows what it has of a resource. */
  record ResourceObserved(String resourceId, ResourceObservation observation) implements Message {}

  /** A host does not answer when it is asked for a job. */
  record Unseen(String attemptId) implements Message {}

  /** An accelerator of a job was used less than its policy asks for, for the whole window. */
  record Underused(String attemptId) implements Message {}

  /**
   * All that a backend, or a machine on which Berth runs jobs, has of ours and nobody knows, as a
   * complete look at it showed.
   *
   * @param machineId the machine that was looked at; null for the backend itself
   * @param doubled keys of jobs that we know, and of which there is more than one, or one that runs
   *     though its attempt has ended
   * @param rented keys of jobs that are there though their places were given back
   * @param unseen the regions that could not be looked at, of which nothing is concluded
   */
  record Swept(
      String backend,
      @Nullable String machineId,
      List<Stranger> strangers,
      List<String> doubled,
      List<String> rented,
      Set<String> unseen)
      implements Message {
    public Swept {
      unseen = Set.copyOf(unseen);
      strangers = List.copyOf(strangers);
      doubled = List.copyOf(doubled);
      rented = List.copyOf(rented);
    }

    /** All regions could be looked at. */
    public Swept(
        String backend,
        @Nullable String machineId,
        List<Stranger> strangers,
        List<String> doubled,
        List<String> rented) {
      this(backend, machineId, strangers, doubled, rented, Set.of());
    }

    /** No place is rented that was given back. */
    public Swept(
        String backend,
        @Nullable String machineId,
        List<Stranger> strangers,
        List<String> doubled) {
      this(backend, machineId, strangers, doubled, List.of());
    }

    /** A backend has no job that we know twice. */
    public Swept(String backend, List<Stranger> strangers) {
      this(backend, null, strangers, List.of(), List.of());
    }

    /** Something that carries our mark, with a key or an id of which we have no record. */
    public record Stranger(ResourceType type, String key, Resource.Ref ref) {}
  }

  /** A user stops a run; to abort is to kill it at once. */
  record Stop(String project, String name, boolean abort, String actor) implements Message {}

  /**
   * A user is about to run a command inside of a job.
   *
   * @param node of the run, from 0
   * @param command its words; never its variables
   */
  record Execute(String runId, int node, List<String> command, String actor) implements Message {
    public Execute {
      command = List.copyOf(command);
    }
  }

  /** A user deletes a finished run, with all that belonged to it. */
  record Delete(Run run, List<Entity> belongings, String actor) implements Message {
    public Delete {
      belongings = List.copyOf(belongings);
    }
  }

  /** An action was carried out, or not. */
  record ActionReported(String actionId, ActionOutcome outcome) implements Message {}

  /** A backend says how a job is. */
  record Observed(String attemptId, JobObservation observation) implements Message {}

  /** A machine that is there by itself, with what it has. */
  record InstanceFound(Instance instance) implements Message {}

  /** Those are all machines that a backend has by itself. */
  record InventoryRead(String backend, Set<String> instanceIds) implements Message {
    public InventoryRead {
      instanceIds = Set.copyOf(instanceIds);
    }
  }

  /** A backend is open from now on. */
  record BackendOpened(String backend) implements Message {}

  /** A backend shall be taken away, with its machines. */
  record BackendRemoved(String backend, String actor) implements Message {}

  /**
   * A backend was added, changed or removed, which is to be known.
   *
   * @param event what the event is called
   * @param before what is told of it as it was; empty where it is new
   * @param after what is told of it as it is; empty where it is gone
   */
  record BackendTold(
      String event,
      String backend,
      Map<String, Object> before,
      Map<String, Object> after,
      String actor)
      implements Message {}

  /** What can be bought is not what it was. */
  record OffersChanged() implements Message {}

  /** An entity's time has come. */
  record Due(Entity.Kind kind, String id) implements Message {}

  /** An action's time has come. */
  record ActionDue(String actionId) implements Message {}

  /** The events of a webhook were followed. */
  sealed interface Hook extends Message {
    String name();

    /**
     * A webhook is there; it begins after an event, unless it was there before.
     *
     * @param seq the number of the newest event
     */
    record Begun(String name, long seq) implements Hook {}

    /**
     * All events up to a number were sent, or were not for it.
     *
     * @param skipped how many of them were given up
     */
    record Sent(String name, long seq, long skipped) implements Hook {}

    /** The server's file does not name it any more. */
    record Gone(String name) implements Hook {}
  }

  /** Somebody changes who may do what. */
  sealed interface Access extends Message {
    /** A server starts: its own user is an admin and its project is there, from now on. */
    record Ensure(String user, String project) implements Access {}

    /** The server's file declares a project, which is there from now on. */
    record DeclareProject(String name) implements Access {}

    /** An admin makes a user. */
    record MakeUser(String name, User.Role role, String actor) implements Access {}

    /** An admin gives a user another role. */
    record ChangeUser(String name, User.Role role, String actor) implements Access {}

    /** An admin deletes a user, with the tokens and memberships. */
    record DeleteUser(String name, String actor) implements Access {}

    /** An admin makes a project, and is its first admin. */
    record MakeProject(String name, String actor) implements Access {}

    /** A project's admin deletes it, with its members. */
    record DeleteProject(String name, String actor) implements Access {}

    /**
     * Somebody makes a user a member, or gives a member another role.
     *
     * @param actorRole what the actor may do in the project
     */
    record PutMember(
        String project, String user, Member.Role role, String actor, Member.Role actorRole)
        implements Access {}

    /**
     * Somebody ends a membership.
     *
     * @param actorRole what the actor may do in the project
     */
    record RemoveMember(String project, String user, String actor, Member.Role actorRole)
        implements Access {}

    /** Somebody makes a token. The id and the hash are fresh. */
    record IssueToken(
        String tokenId,
        String user,
        String name,
        String sha256,
        Token.Scope scope,
        @Nullable Instant expiresAt,
        String actor)
        implements Access {
      /** Without the hash. */
      @Override
      public String toString() {
        return "IssueToken[" + tokenId + " of " + user + "]";
      }
    }

    /** Somebody ends a token. */
    record RevokeToken(String tokenId, String actor) implements Access {}

    /** Somebody gives a project a secret, or another value to one that it has. */
    record PutSecret(String project, String name, String sealed, String actor) implements Access {
      /** Without the value. */
      @Override
      public String toString() {
        return "PutSecret[" + project + "/" + name + "]";
      }
    }

    /** Somebody takes a secret away. */
    record DeleteSecret(String project, String name, String actor) implements Access {}

    /** Somebody wants to see the value of a secret. */
    record RevealSecret(String project, String name, String actor) implements Access {}

    /**
     * Somebody whom an identity provider knows gets a token. The id and the hash are fresh.
     *
     * @param issuer the provider
     * @param subject what the provider tells people apart by
     * @param admin whether the server's file makes the user a global admin
     * @param create whether one who is not there yet becomes a user
     */
    record LogIn(
        String user,
        String issuer,
        String subject,
        boolean admin,
        boolean create,
        String tokenId,
        String tokenName,
        String sha256,
        Instant expiresAt)
        implements Access {
      /** Without the hash. */
      @Override
      public String toString() {
        return "LogIn[" + tokenId + " of " + user + "]";
      }
    }
  }
}
