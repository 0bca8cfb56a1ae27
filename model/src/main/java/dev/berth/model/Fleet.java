package dev.berth.model;

import dev.berth.model.config.FleetNodes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Machines that are kept together.
 *
 * @param configuration as it was written
 * @param spec what follows from it
 * @param temporary whether it was made for one run, and goes with its last machine
 * @param numbers how many numbers were given to machines
 * @param trials how often in a row it could not get the machines that it shall have
 * @param tried offers that could not be had in this trial, by their keys
 * @param due when it is looked at again
 */
public record Fleet(
    String id,
    String project,
    String user,
    String name,
    Map<String, @Nullable Object> configuration,
    Spec spec,
    Status status,
    boolean temporary,
    int numbers,
    int trials,
    List<String> tried,
    @Nullable String message,
    Instant submittedAt,
    @Nullable Instant due)
    implements Entity {
  /**
   * What a fleet keeps.
   *
   * @param wishes which machines; its container is what an agent needs, or null
   * @param cluster whether all of them must be near each other
   * @param blocks into how many parts each is cut; null for as many as it has accelerators
   * @param idleDuration for how long a machine above the least number is kept without work; null
   *     for ever
   */
  public record Spec(
      Wishes wishes,
      FleetNodes nodes,
      boolean cluster,
      @Nullable Integer blocks,
      @Nullable Duration idleDuration,
      Map<String, String> tags) {
    public Spec {
      tags = Collections.unmodifiableMap(new TreeMap<>(tags));
    }
  }

  /** Whether it is there to stay. */
  public enum Status {
    ACTIVE,
    TERMINATING,
    TERMINATED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String TEMPORARY = "-f";

  /** The id of the fleet that a run's machines belong to where it uses no other. */
  public static String temporaryId(String runId) {
    return runId + TEMPORARY;
  }

  /** The run that it was made for, where it was made for one. */
  public Optional<String> madeFor() {
    return temporary
        ? Optional.of(id.substring(0, id.length() - TEMPORARY.length()))
        : Optional.empty();
  }

  @Override
  public Kind kind() {
    return Kind.FLEET;
  }

  @Override
  public String state() {
    return status.word();
  }

  @Override
  public boolean active() {
    return status != Status.TERMINATED;
  }

  @Override
  public @Nullable String uniqueName() {
    return temporary ? null : name;
  }

  public Fleet in(Status next) {
    return with(configuration, spec, next, numbers, trials, List.of(), message, null);
  }

  /** With one number more given to a machine. */
  public Fleet counted() {
    return with(configuration, spec, status, numbers + 1, trials, tried, message, due);
  }

  /** As it is written now, to be looked at at once. */
  public Fleet updated(Map<String, @Nullable Object> newConfiguration, Spec newSpec, Instant at) {
    return with(newConfiguration, newSpec, status, numbers, 0, List.of(), null, at);
  }

  /** With all that it shall have ordered, which may still fail. */
  public Fleet ordered() {
    return with(configuration, spec, status, numbers, trials, tried, message, null);
  }

  /** To be looked at again, after it could not get what it shall have. */
  public Fleet failing(String sentence, @Nullable Instant next) {
    return with(configuration, spec, status, numbers, trials + 1, List.of(), sentence, next);
  }

  /** After an offer could not be had, which is not tried again before the others were. */
  public Fleet without(String offer) {
    List<String> more = new ArrayList<>(tried);
    more.add(offer);
    return with(configuration, spec, status, numbers, trials, List.copyOf(more), message, due);
  }

  /** To be looked at again at a time. */
  public Fleet dueAt(Instant next) {
    return with(configuration, spec, status, numbers, trials, tried, message, next);
  }

  /** With all that it shall have. */
  public Fleet settled() {
    return with(configuration, spec, status, numbers, 0, List.of(), null, null);
  }

  private Fleet with(
      Map<String, @Nullable Object> newConfiguration,
      Spec newSpec,
      Status newStatus,
      int newNumbers,
      int newTrials,
      List<String> newTried,
      @Nullable String newMessage,
      @Nullable Instant newDue) {
    return new Fleet(
        id,
        project,
        user,
        name,
        newConfiguration,
        newSpec,
        newStatus,
        temporary,
        newNumbers,
        newTrials,
        newTried,
        newMessage,
        submittedAt,
        newDue);
  }
}
