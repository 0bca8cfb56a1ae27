package dev.berth.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a run of the kit found.
 *
 * @param type the name of the backend's type
 * @param results in the order in which a backend is best written
 * @param unclean what could not be given back, a sentence each
 */
public record Report(String type, List<Result> results, List<String> unclean) {
  public Report {
    results = List.copyOf(results);
    unclean = List.copyOf(unclean);
  }

  public boolean isPassed() {
    return unclean.isEmpty() && results.stream().noneMatch(Result::isFailed);
  }

  /** What is to be implemented or mended, in order. */
  public List<Result> failed() {
    return results.stream().filter(Result::isFailed).toList();
  }

  /** The first thing to do; empty when the contract is kept. */
  public Optional<Result> next() {
    return results.stream().filter(Result::isFailed).findFirst();
  }

  /** How many checks ended in each way. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    results.forEach(result -> counts.merge(result.outcome().word(), 1L, Long::sum));
    return counts;
  }

  /** The report as a tree of maps, lists and words, for JSON. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("type", type);
    tree.put("passed", isPassed());
    tree.put("counts", counts());
    next().ifPresent(result -> tree.put("next", tree(result)));
    tree.put("unclean", unclean);
    tree.put("results", results.stream().map(Report::tree).toList());
    return tree;
  }

  private static Map<String, Object> tree(Result result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("check", result.check().name());
    tree.put("area", result.check().area().word());
    tree.put("sentence", result.check().sentence());
    tree.put("outcome", result.outcome().word());
    if (!result.outcome().detail().isEmpty()) {
      tree.put("detail", result.outcome().detail());
    }
    return tree;
  }
}
