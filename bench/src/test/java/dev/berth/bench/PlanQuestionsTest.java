package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlanQuestionsTest {
  @Test
  void theQuestionsAreTasksThatDiffer() {
    assertThat(PlanQuestions.all())
        .hasSizeGreaterThan(50)
        .doesNotHaveDuplicates()
        .allSatisfy(question -> assertThat(question).containsEntry("type", "task"));
  }
}
