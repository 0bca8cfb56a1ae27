package dev.berth.spi;

import java.util.Locale;

/** Something that backends may or may not do. */
public enum Trait {
  /** It runs images by itself, so nobody has to rewrite commands for an engine. */
  IMAGES("container images"),
  /** Containers that may do what their host may. */
  PRIVILEGED("privileged containers"),
  /** Folders of the host inside of containers. */
  INSTANCE_VOLUMES("instance volumes"),
  /** Parts of one machine for several jobs. */
  BLOCKS("blocks"),
  /** A machine that takes one job after the other. */
  REUSE("reuse of machines"),
  /** Machines at a lower price that may be taken back. */
  SPOT("spot machines"),
  /** Machines that reach each other by a fast network. */
  MULTI_NODE("tasks on several nodes"),
  /** Capacity that was reserved at the provider before. */
  RESERVATIONS("reservations"),
  /** Several jobs or machines made by one call, all or none: {@link CreateRequest.Group}. */
  GROUPS("groups"),
  /** Network volumes: {@link Volumes}. */
  VOLUMES("volumes"),
  /** Machines near each other: {@link PlacementGroups}. */
  PLACEMENT_GROUPS("placement groups"),
  /** Machines that receive the traffic of services: {@link CreateRequest.Gateway}. */
  GATEWAYS("gateways"),
  /** Gateways without an address on the internet. */
  PRIVATE_GATEWAYS("private gateways"),
  /** Load balancers before gateways: {@link LoadBalancers}. */
  GATEWAY_LOAD_BALANCERS("load balancers in front of gateways"),
  /** How many wait before a job: {@link JobQueue}. */
  QUEUE_POSITION("queue positions"),
  /** A last change of commands and files before a job is submitted: {@link Rewriting}. */
  REWRITING("rewriting of jobs before submission"),
  /** How busy the accelerators of running jobs are: {@link GpuMetrics}. */
  GPU_METRICS("metrics of GPU usage"),
  /** Files of the user that a job finds in its place: {@link Archives}. */
  FILES("files for jobs"),
  /** A command inside of a running job: {@link JobRuntime#exec}. */
  EXEC("commands inside running jobs"),
  /** Bytes to and from a port of a job: {@link JobRuntime#connect}. */
  CONNECT("connections to the ports of jobs"),
  /** How much of processors and memory running jobs use: {@link JobRuntime#usage}. */
  USAGE("metrics of CPU and memory usage");

  private final String words;

  Trait(String words) {
    this.words = words;
  }

  /** What it is, as it stands in a sentence. */
  public String words() {
    return words;
  }

  /** The word for it in JSON and on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
