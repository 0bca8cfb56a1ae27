package dev.berth.grammar;

import java.util.List;
import java.util.stream.Stream;

/** The cases of fields and of rules together. */
final class AllCases {
  private static final List<Case> CASES =
      Stream.concat(
              new FieldCases().all().stream(),
              RuleCases.all().stream().flatMap(pair -> Stream.of(pair.good(), pair.bad())))
          .toList();

  private AllCases() {}

  static Stream<Case> stream() {
    return CASES.stream();
  }

  static Stream<Case> good() {
    return stream().filter(Case::isGood);
  }

  /** Good files, and those that are only warned about. */
  static Stream<Case> accepted() {
    return stream().filter(Case::isAccepted);
  }

  static Stream<Case> refused() {
    return stream().filter(one -> !one.isAccepted());
  }
}
