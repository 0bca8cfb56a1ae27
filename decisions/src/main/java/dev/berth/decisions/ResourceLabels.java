package dev.berth.decisions;

import dev.berth.model.Fleet;
import dev.berth.model.Labels;
import java.util.Map;
import java.util.TreeMap;

/** What people see of a resource at its provider. */
final class ResourceLabels {
  private ResourceLabels() {}

  /** Those of what is made for a fleet: its tags, and whose it is. */
  static Map<String, String> of(Fleet fleet) {
    Map<String, String> labels = new TreeMap<>(fleet.spec().tags());
    labels.put(Labels.PROJECT, fleet.project());
    // One that is temporary has the name of its run.
    labels.put(fleet.temporary() ? Labels.RUN : Labels.FLEET, fleet.name());
    return labels;
  }
}
