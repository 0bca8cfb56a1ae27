package dev.berth.grammar;

import dev.berth.grammar.Interpolation.Place;
import java.util.List;
import java.util.Objects;

/** Checks the references in commands, among them the addresses of nodes that must exist. */
record CommandCheck(String members, List<Integer> groupSizes) {
  void commands(Node commands, Reading reading) {
    if (!(commands instanceof Node.Sequence sequence)) {
      return;
    }
    int index = 0;
    for (Node command : sequence.items()) {
      Reading at = reading.item(index++);
      if (command instanceof Node.Scalar scalar) {
        for (Interpolation.Part.Reference reference :
            Interpolation.check(scalar.text(), Place.COMMANDS, command, at)) {
          Interpolation.groupAddress(reference)
              .ifPresent(address -> address(address, reference, command, at));
        }
      }
    }
  }

  void groups(Node groups, Reading reading) {
    if (!(groups instanceof Node.Sequence sequence)) {
      return;
    }
    int index = 0;
    for (Node group : sequence.items()) {
      Reading at = reading.item(index++);
      if (group instanceof Node.Mapping mapping && mapping.entries().get("commands") != null) {
        commands(
            Objects.requireNonNull(mapping.entries().get("commands")).value(),
            at.field("commands"));
      }
    }
  }

  private void address(
      Interpolation.GroupAddress address,
      Interpolation.Part.Reference reference,
      Node node,
      Reading reading) {
    boolean exists =
        address.members().equals(members)
            && address.group() < groupSizes.size()
            && address.member() < groupSizes.get(address.group());
    if (!exists) {
      reading.error(
          Rule.INTERPOLATION_UNKNOWN,
          node,
          "'"
              + reference.name()
              + "' names no "
              + (members.equals("nodes") ? "node" : "replica that always runs")
              + "; groups have "
              + (reading.isFull() ? "" : Text.abbreviate(groupSizes.toString()))
              + " "
              + members);
    }
  }
}
