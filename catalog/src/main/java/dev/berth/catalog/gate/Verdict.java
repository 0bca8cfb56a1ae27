package dev.berth.catalog.gate;

import java.util.List;

/** What the gate found in a snapshot. It stays the same where a user takes the snapshot anyway. */
public record Verdict(List<Finding> findings) {
  public Verdict {
    findings = List.copyOf(findings);
  }

  public boolean refused() {
    return findings.stream().anyMatch(finding -> finding.severity() == Rule.Severity.REFUSE);
  }

  public List<Finding> refusals() {
    return findings.stream().filter(finding -> finding.severity() == Rule.Severity.REFUSE).toList();
  }

  public List<Finding> warnings() {
    return findings.stream().filter(finding -> finding.severity() == Rule.Severity.WARN).toList();
  }
}
