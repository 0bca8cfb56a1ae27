package dev.berth.cli;

import dev.berth.grammar.EditDistance;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Guesses which word was meant. */
final class Spelling {
  /** What people type who come from dstack, Docker, kubectl or Slurm. */
  private static final Map<String, List<String>> ELSEWHERE =
      Map.ofEntries(
          Map.entry("status", List.of("ps", "show")),
          Map.entry("list", List.of("ps")),
          Map.entry("ls", List.of("ps")),
          Map.entry("jobs", List.of("ps")),
          Map.entry("squeue", List.of("ps")),
          Map.entry("sacct", List.of("ps")),
          Map.entry("get", List.of("ps", "show")),
          Map.entry("describe", List.of("show")),
          Map.entry("inspect", List.of("show")),
          Map.entry("scontrol", List.of("show")),
          Map.entry("submit", List.of("apply")),
          Map.entry("start", List.of("apply")),
          Map.entry("create", List.of("apply")),
          Map.entry("up", List.of("apply")),
          Map.entry("sbatch", List.of("apply")),
          Map.entry("srun", List.of("apply")),
          Map.entry("kill", List.of("stop")),
          Map.entry("cancel", List.of("stop")),
          Map.entry("down", List.of("stop")),
          Map.entry("scancel", List.of("stop")),
          Map.entry("rm", List.of("delete")),
          Map.entry("remove", List.of("delete")),
          Map.entry("tail", List.of("logs")),
          Map.entry("ssh", List.of("exec", "attach")),
          Map.entry("shell", List.of("exec")),
          Map.entry("sh", List.of("exec")),
          Map.entry("port-forward", List.of("attach")),
          Map.entry("top", List.of("metrics")),
          Map.entry("stats", List.of("metrics")),
          Map.entry("nodes", List.of("fleet")),
          Map.entry("sinfo", List.of("fleet", "offer")),
          Map.entry("gpus", List.of("offer")),
          Map.entry("why", List.of("explain")),
          Map.entry("check", List.of("validate", "doctor")));

  private Spelling() {}

  /** The commands that a word stands for elsewhere, and those that are spelt like it. */
  static List<String> commands(String word, Collection<String> commands) {
    Set<String> found = new LinkedHashSet<>(ELSEWHERE.getOrDefault(word, List.of()));
    found.retainAll(commands);
    return found.isEmpty() ? near(word, commands) : List.copyOf(found);
  }

  /** The words that one or two typing mistakes turn into the given one, the likeliest first. */
  static List<String> near(String word, Collection<String> words) {
    int most = word.length() < 5 ? 1 : 2;
    int best =
        words.stream().mapToInt(one -> EditDistance.between(word, one)).min().orElse(most + 1);
    return best > most
        ? List.of()
        : words.stream().filter(one -> EditDistance.between(word, one) == best).toList();
  }

  /** Such as "; did you mean 'ps' or 'show'?"; nothing where nothing is likely. */
  static String question(List<String> words) {
    return words.isEmpty() ? "" : "; did you mean '" + String.join("' or '", words) + "'?";
  }
}
