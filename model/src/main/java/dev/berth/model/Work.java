package dev.berth.model;

import java.util.List;

/**
 * What a run does, before it is made into jobs.
 *
 * @param nodes one for each rank of a replica
 * @param replicas how many times all of that
 * @param made how many replicas have their jobs
 */
public record Work(List<Node> nodes, int replicas, int made) {
  public Work {
    nodes = List.copyOf(nodes);
  }

  /** One rank: what runs there, and on what. */
  public record Node(JobSpec spec, Wishes wishes) {}

  public boolean isAllMade() {
    return made >= replicas;
  }

  public Work withMade(int newMade) {
    return new Work(nodes, replicas, newMade);
  }
}
