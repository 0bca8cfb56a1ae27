package dev.berth.model;

import java.time.Duration;

/** What an action does to the one resource that it is about. */
public sealed interface Operation {
  /** The word for it in the ledger, in logs and in metrics. */
  Action.Type type();

  /** What kind of resource it is about. */
  ResourceType of();

  /** One that whoever runs jobs carries out: the backend, or Berth itself on a machine. */
  sealed interface OnJob extends Operation {
    @Override
    default ResourceType of() {
      return ResourceType.JOB;
    }
  }

  /** One that whoever makes and deletes resources carries out. */
  sealed interface OnResource extends Operation {}

  /** Starts a job. */
  record StartJob(JobRequest request) implements OnJob {
    @Override
    public Action.Type type() {
      return Action.Type.START_JOB;
    }
  }

  /** Asks a job to end, and kills it after the grace. */
  record StopJob(Duration grace) implements OnJob {
    @Override
    public Action.Type type() {
      return Action.Type.STOP_JOB;
    }
  }

  /** Kills a job. */
  record KillJob() implements OnJob {
    @Override
    public Action.Type type() {
      return Action.Type.KILL_JOB;
    }
  }

  /** Gives the place of a job back that has ended, once its output is copied. */
  record ReleaseJob() implements OnJob {
    @Override
    public Action.Type type() {
      return Action.Type.RELEASE_JOB;
    }
  }

  /** Removes what a job has left. */
  record RemoveJob() implements OnJob {
    @Override
    public Action.Type type() {
      return Action.Type.REMOVE_JOB;
    }
  }

  /**
   * Looks for a job after an answer to its start that said nothing.
   *
   * @param request what was asked for, because it may have to be asked for once more
   */
  record FindJob(JobRequest request) implements OnJob {
    @Override
    public Action.Type type() {
      return Action.Type.LOOK;
    }
  }

  /** Makes a machine, or anything else but a job. */
  record Create(ResourceRequest request) implements OnResource {
    @Override
    public Action.Type type() {
      return Action.Type.CREATE;
    }

    @Override
    public ResourceType of() {
      return request.type();
    }
  }

  /**
   * Looks for what carries the key, after an answer that said nothing.
   *
   * @param request what was asked for, because it may have to be asked for once more
   */
  record Find(ResourceRequest request) implements OnResource {
    @Override
    public Action.Type type() {
      return Action.Type.LOOK;
    }

    @Override
    public ResourceType of() {
      return request.type();
    }
  }

  /** Deletes what the provider named. */
  record Delete(ResourceType of, Resource.Ref ref) implements OnResource {
    @Override
    public Action.Type type() {
      return Action.Type.DELETE;
    }
  }
}
