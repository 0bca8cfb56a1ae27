package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a run is, or why it has no place, and what would help.
 *
 * @param run its name; null where a file without a name was asked about
 * @param verdict placed, ended, placeable, waits, unplaceable, nothing_there or refused
 * @param sentences the same for people
 * @param place where it would be placed now; null where it would not be
 * @param machines how many machines were looked at
 * @param offers how many offers were looked at
 * @param rules what keeps it from places, what keeps it from most of them alone first
 * @param remedies the smallest sets of fields without which it would be placed
 * @param refusals fields that no place could honour
 */
public record ExplainView(
    @Nullable String run,
    String verdict,
    List<String> sentences,
    @Nullable String place,
    int machines,
    int offers,
    List<Rule> rules,
    List<Remedy> remedies,
    List<FieldProblem> refusals) {
  /**
   * Something that keeps a run from places.
   *
   * @param name a field of the file, or a word for what else is in the way
   * @param sentence what is asked for, or what is in the way
   * @param places from how many places it keeps the run
   * @param alone from how many of them nothing else does
   * @param nearest the place that comes nearest, with what it has
   */
  public record Rule(String name, String sentence, int places, int alone, String nearest) {}

  /** Fields to ask less with, and where the run would be placed then. */
  public record Remedy(List<String> fields, String place) {}
}
