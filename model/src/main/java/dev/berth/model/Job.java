package dev.berth.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A planned execution within a run: one node of one replica. */
public record Job(
    String id,
    String project,
    String runId,
    int replica,
    int rank,
    List<String> after,
    boolean master,
    List<Artifact> inputs,
    List<Artifact> outputs,
    JobSpec spec,
    JobStatus status,
    @Nullable JobReason reason)
    implements Entity {
  public Job {
    after = List.copyOf(after);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** Data that a job takes or gives, by name and the path in the job. */
  public record Artifact(String name, String path) {}

  @Override
  public Kind kind() {
    return Kind.JOB;
  }

  @Override
  public String state() {
    return status.word();
  }

  @Override
  public boolean active() {
    return !status.finished();
  }

  @Override
  public String parent() {
    return runId;
  }

  public Job in(JobStatus next, @Nullable JobReason why) {
    return new Job(
        id, project, runId, replica, rank, after, master, inputs, outputs, spec, next, why);
  }
}
