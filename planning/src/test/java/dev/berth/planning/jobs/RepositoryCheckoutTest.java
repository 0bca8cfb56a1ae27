package dev.berth.planning.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.RepoSpec;
import dev.berth.planning.testing.TaskBuilder;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose the token of a repository is. */
class RepositoryCheckoutTest {
  @ParameterizedTest
  @CsvSource({
    "${{ secrets.word }}, git https://git.example:8443",
    "ann:${{ secrets.word }}, ann https://git.example:8443",
    "ann:x${{ secrets.word }}, git https://git.example:8443",
  })
  void tokenIsForItsUserAtTheHostOfTheAddress(String token, String login) {
    TaskBuilder task = TaskBuilder.task();
    task.repos.add(
        new RepoSpec(
            null,
            "https://git.example:8443/train.git",
            null,
            null,
            ".",
            RepoSpec.IfExists.ERROR,
            null,
            token,
            null));
    RepositoryCheckout checkout =
        Objects.requireNonNull(RepositoryCheckout.of(task.build().run(), "main"));
    assertThat(checkout.commands().getFirst()).contains("'" + login + "'");
    String before = token.startsWith("ann:x") ? "ann:x" : "";
    assertThat(checkout.secrets().get("BERTH_REPOSITORY_TOKEN"))
        .isEqualTo(SecretReferences.parse("main", before + "${{ secrets.word }}"));
  }
}
