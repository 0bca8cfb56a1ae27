package dev.berth.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A field of a kind of file, with the way that leads to it. */
record FieldPath(Kind kind, List<Step> steps) {
  /**
   * One field on the way.
   *
   * @param record the record whose mapping is written
   * @param owner the record that defines the field: the same, or one that is spread out in it
   * @param inList whether the next step stands in a list
   */
  record Step(RecordShape<?> record, RecordShape<?> owner, Field<?> field, boolean inList) {
    String inRecord() {
      return record.type().getSimpleName() + "." + field.name;
    }

    String inOwner() {
      return owner.type().getSimpleName() + "." + field.name;
    }
  }

  private record Inner(RecordShape<?> record, boolean inList) {}

  /** Every field of every kind, through all nested records. */
  static List<FieldPath> all() {
    List<FieldPath> paths = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      walk(kind, List.of(), kind.shape(), paths);
    }
    return List.copyOf(paths);
  }

  private static void walk(
      Kind kind, List<Step> before, RecordShape<?> record, List<FieldPath> paths) {
    for (RecordShape<?> owner : spreadOut(record).toList()) {
      for (Field<?> field : owner.ownFields()) {
        paths.add(new FieldPath(kind, append(before, new Step(record, owner, field, false))));
        for (Inner inner : recordsIn(field.shape, false).toList()) {
          Step step = new Step(record, owner, field, inner.inList());
          walk(kind, append(before, step), inner.record(), paths);
        }
      }
    }
  }

  private static Stream<RecordShape<?>> spreadOut(RecordShape<?> record) {
    return Stream.concat(
        record.inlinedShapes().stream().flatMap(FieldPath::spreadOut), Stream.of(record));
  }

  private static Stream<Inner> recordsIn(Shape<?> shape, boolean inList) {
    if (shape instanceof RecordShape<?> record) {
      return Stream.of(new Inner(record, inList));
    }
    boolean listed = inList || shape instanceof ListShape<?>;
    return shape.parts().stream().flatMap(part -> recordsIn(part, listed));
  }

  private static List<Step> append(List<Step> before, Step step) {
    return Stream.concat(before.stream(), Stream.of(step)).toList();
  }

  Step last() {
    return steps.getLast();
  }

  /** The path as messages show it, with 0 for every index. */
  String inMessages() {
    StringBuilder path = new StringBuilder();
    for (Step step : steps) {
      path.append(path.isEmpty() ? "" : ".")
          .append(step.field().name)
          .append(step.inList() ? "[0]" : "");
    }
    return path.toString();
  }

  /** The path of the record that holds the field. */
  String parentInMessages() {
    String path = inMessages();
    return steps.size() == 1 ? "" : path.substring(0, path.lastIndexOf('.'));
  }

  @Override
  public String toString() {
    return kind.word() + " " + inMessages() + " (" + last().inOwner() + ")";
  }
}
