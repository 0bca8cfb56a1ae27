package dev.berth.model;

import java.util.Locale;

/** Why a run ended, or is ending. */
public enum RunReason {
  ALL_JOBS_DONE(RunStatus.DONE, "all jobs are done"),
  JOB_FAILED(RunStatus.FAILED, "a job failed"),
  RETRY_LIMIT_EXCEEDED(RunStatus.FAILED, "the time for retries is over"),
  DEPENDENCY_FAILED(RunStatus.FAILED, "a run that it depends on did not succeed"),
  SERVER_ERROR(RunStatus.FAILED, "an error in the server"),
  GATEWAY_ERROR(RunStatus.FAILED, "it could not be registered at its gateway"),
  STOPPED_BY_USER(RunStatus.TERMINATED, "stopped by the user"),
  ABORTED_BY_USER(RunStatus.TERMINATED, "aborted by the user");

  private final RunStatus end;
  private final String sentence;

  RunReason(RunStatus end, String sentence) {
    this.end = end;
    this.sentence = sentence;
  }

  /** The status that a run with this reason ends in. */
  public RunStatus end() {
    return end;
  }

  public String sentence() {
    return sentence;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
