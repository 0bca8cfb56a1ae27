package dev.berth.model;

import java.util.Locale;

/** Why an attempt ended, or is ending. */
public enum JobReason {
  DONE_BY_RUNNER(JobStatus.DONE, "the commands succeeded"),
  FAILED_TO_START_DUE_TO_NO_CAPACITY(JobStatus.FAILED, "no place fits it"),
  INTERRUPTED_BY_NO_CAPACITY(JobStatus.FAILED, "the machine was taken away"),
  INSTANCE_UNREACHABLE(JobStatus.FAILED, "the machine could not be reached"),
  WAITING_INSTANCE_LIMIT_EXCEEDED(JobStatus.FAILED, "the machine did not become ready in time"),
  WAITING_RUNNER_LIMIT_EXCEEDED(JobStatus.FAILED, "the job did not start in time"),
  VOLUME_ERROR(JobStatus.FAILED, "a volume could not be used"),
  CONTAINER_EXITED_WITH_ERROR(JobStatus.FAILED, "a command failed"),
  PORTS_BINDING_FAILED(JobStatus.FAILED, "a port is taken"),
  MISSING_SECRET(JobStatus.FAILED, "a secret that it needs is not there any more"),
  CREATING_CONTAINER_ERROR(JobStatus.FAILED, "the job could not be created"),
  EXECUTOR_ERROR(JobStatus.FAILED, "the job was lost"),
  INACTIVITY_DURATION_EXCEEDED(JobStatus.TERMINATED, "nobody used it for as long as allowed"),
  TERMINATED_DUE_TO_UTILIZATION_POLICY(
      JobStatus.TERMINATED, "its accelerators were used less than asked for"),
  MAX_DURATION_EXCEEDED(JobStatus.TERMINATED, "it ran for as long as allowed"),
  TERMINATED_BY_USER(JobStatus.TERMINATED, "stopped by the user"),
  TERMINATED_BY_SERVER(JobStatus.TERMINATED, "stopped by the server"),
  ABORTED_BY_USER(JobStatus.ABORTED, "aborted by the user");

  private final JobStatus end;
  private final String sentence;

  JobReason(JobStatus end, String sentence) {
    this.end = end;
    this.sentence = sentence;
  }

  /** The status that an attempt with this reason ends in. */
  public JobStatus end() {
    return end;
  }

  public String sentence() {
    return sentence;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
