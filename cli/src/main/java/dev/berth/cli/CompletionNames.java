package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.model.api.BackendTypeView;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.ProjectView;
import dev.berth.model.api.RunView;
import dev.berth.model.api.SecretView;
import dev.berth.model.api.UserView;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The names that the server knows, for a person who has pressed the tab key: none where no server
 * runs, where it does not answer at once, or where it refuses. A message would end up in the middle
 * of the command line that is being typed.
 */
final class CompletionNames implements Completion.Names {
  /** The word that stands in place of a command in completion scripts. */
  static final String COMMAND = "__complete";

  /** As long as a person waits. Tests, which run on busy machines, wait longer. */
  private static final Duration ANSWER_WITHIN =
      Duration.ofMillis(Long.getLong("berth.completion.millis", 1_000));

  private static final int MOST = 200;

  private final PrintWriter err;

  private CompletionNames(PrintWriter err) {
    this.err = err;
  }

  /** Prints the candidates for the last of the words, one in a line. */
  static int print(List<String> words, PrintWriter out, PrintWriter err) {
    Completion.of(words, new CompletionNames(err)).forEach(out::println);
    return ExitCode.OK;
  }

  @Override
  public List<String> find(Completion.Kind kind, @Nullable String project) {
    FutureTask<List<String>> question = new FutureTask<>(() -> ask(kind, project));
    Thread.ofVirtual().start(question);
    try {
      return question.get(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (ExecutionException | TimeoutException e) {
      if (System.getenv("BERTH_DEBUG") != null) {
        e.printStackTrace(err);
      }
      return List.of();
    }
  }

  private List<String> ask(Completion.Kind kind, @Nullable String project) {
    Optional<Connection> running = Connection.find(err);
    if (running.isEmpty()) {
      return List.of();
    }
    try (Connection connection = running.get()) {
      return ask(
          kind, connection.client(), Objects.requireNonNullElse(project, connection.project()));
    }
  }

  private static List<String> ask(Completion.Kind kind, BerthClient client, String project) {
    return switch (kind) {
      case RUNS, ACTIVE_RUNS ->
          client.list(project, kind == Completion.Kind.RUNS, MOST, null).runs().stream()
              .map(RunView::name)
              .distinct()
              .toList();
      case FLEETS -> client.fleets(project).fleets().stream().map(FleetView::name).toList();
      case BACKENDS -> client.backends(project).backends().stream().map(BackendView::name).toList();
      case BACKEND_TYPES ->
          client.backendTypes().types().stream().map(BackendTypeView::name).toList();
      case PROJECTS ->
          client.access().projects().projects().stream().map(ProjectView::name).toList();
      case SECRETS ->
          client.access().secrets(project).secrets().stream().map(SecretView::name).toList();
      case USERS -> client.access().users().users().stream().map(UserView::name).toList();
    };
  }
}
