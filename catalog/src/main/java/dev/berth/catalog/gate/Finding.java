package dev.berth.catalog.gate;

/** A fault that the gate found, with a sentence that has its figures. */
public record Finding(Rule rule, String sentence) {
  public Rule.Severity severity() {
    return rule.severity();
  }
}
