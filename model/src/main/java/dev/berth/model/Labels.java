package dev.berth.model;

/**
 * What Berth tells people at the provider about a resource, besides the labels that users wrote
 * themselves. Nothing in Berth reads them back.
 */
public final class Labels {
  /** The project's name. */
  public static final String PROJECT = "berth-project";

  /** The resource's own name. */
  public static final String NAME = "berth-name";

  /** The run that it was made for, where it serves no other one. */
  public static final String RUN = "berth-run";

  /** The fleet that it is in. */
  public static final String FLEET = "berth-fleet";

  private Labels() {}
}
