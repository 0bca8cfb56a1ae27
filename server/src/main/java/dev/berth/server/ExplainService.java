package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.LedgerView;
import dev.berth.decisions.Explanation;
import dev.berth.ledger.Ledger;
import dev.berth.model.BackendKey;
import dev.berth.model.JobReason;
import dev.berth.model.Placement;
import dev.berth.model.PolicyBound;
import dev.berth.model.Run;
import dev.berth.model.Work;
import dev.berth.model.api.ExplainView;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.model.offers.PriceFormat;
import dev.berth.model.spec.RunSpec;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains where runs are or would be, and why not. */
final class ExplainService {
  private final ControlPlane control;
  private final Ledger ledger;
  private final Store store;
  private final RunService runs;
  private final RunPlanning planning;
  private final InstantSource clock;

  ExplainService(
      ControlPlane control,
      Ledger ledger,
      Store store,
      RunService runs,
      RunPlanning planning,
      InstantSource clock) {
    this.control = control;
    this.ledger = ledger;
    this.store = store;
    this.runs = runs;
    this.planning = planning;
    this.clock = clock;
  }

  /** Of a file that is not submitted. */
  ExplainView explain(Call call, RunRequest request) throws InterruptedException {
    String project = call.path("project");
    PlannedRun planned = planning.plan(project, call.user(), request);
    List<FieldProblem> refusals = runs.refusals(project, planned);
    if (!refusals.isEmpty()) {
      return refused(planned.name(), refusals);
    }
    return traced(
        planned.name(), List.of(), new Explanation.Question(project, planned.spec(), null));
  }

  /** Of a run, by name or id. */
  ExplainView explain(String project, String name) throws InterruptedException {
    Run run = store.run(project, name);
    RunView shown = store.view(run);
    if (!run.active() && !hadNoCapacity(run)) {
      String reason = run.reason() == null ? "" : ": " + run.reason().sentence();
      return told(run, "ended", "It ended as " + run.status().word() + reason + ".");
    }
    Placement search = run.active() ? store.placement(run).orElse(null) : null;
    if (search != null && search.phase() != Placement.State.RESERVING) {
      return told(run, "placed", "It is placed on " + place(shown) + ".");
    }
    RunSpec spec = planning.again(run, bounds(run, search));
    return traced(
        run.name(), standing(run, shown), new Explanation.Question(project, spec, search));
  }

  /** Those that it was accepted with; where it has ended, those that it would meet now. */
  private List<PolicyBound> bounds(Run run, @Nullable Placement search) {
    if (search != null && !search.wishes().isEmpty()) {
      return search.wishes().getFirst().bounds();
    }
    Work work = run.work();
    return work == null
        ? planning
            .plan(run.project(), run.user(), new RunRequest(run.name(), run.configuration()))
            .verdict()
            .bounds()
        : work.nodes().getFirst().wishes().bounds();
  }

  private boolean hadNoCapacity(Run run) {
    return store.attempts(run.id()).stream()
        .anyMatch(attempt -> attempt.reason() == JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY);
  }

  private static String place(RunView run) {
    String backend =
        run.backend() == null ? "a machine that is being created" : BackendKey.name(run.backend());
    Double price = run.price();
    return backend + (price == null || price == 0 ? "" : " for " + PriceFormat.perHour(price));
  }

  /** What a run waits for besides a place. */
  private static List<String> standing(Run run, RunView shown) {
    List<String> sentences = new ArrayList<>();
    if (!run.active()) {
      sentences.add(
          "It ended as "
              + run.status().word()
              + (run.message() == null ? "" : ": " + run.message())
              + ". If submitted now:");
    }
    if (!shown.after().isEmpty()) {
      sentences.add(
          "It is waiting for other runs to succeed: " + String.join(", ", shown.after()) + ".");
    }
    if (run.due() != null) {
      sentences.add("It is scheduled to start at " + run.due() + ".");
    } else if (shown.nextAt() != null) {
      sentences.add("The next try is at " + shown.nextAt() + ".");
    }
    return sentences;
  }

  private static ExplainView told(Run run, String verdict, String sentence) {
    return new ExplainView(
        run.name(), verdict, List.of(sentence), null, 0, 0, List.of(), List.of(), List.of());
  }

  private static ExplainView refused(@Nullable String name, List<FieldProblem> refusals) {
    return new ExplainView(
        name,
        "refused",
        List.of("The configuration cannot be run."),
        null,
        0,
        0,
        List.of(),
        List.of(),
        refusals);
  }

  private ExplainView traced(
      @Nullable String name, List<String> before, Explanation.Question question)
      throws InterruptedException {
    Explanation explanation =
        Explanation.of(
            LedgerView.read(ledger, Ledger.MAIN_REALM),
            control.offers(Explanation.requirements(question)),
            question,
            clock.instant());
    List<String> sentences = new ArrayList<>(before);
    sentences.add(sentence(explanation, question.run()));
    explanation.remedies().forEach(remedy -> sentences.add(sentence(remedy, question.run())));
    return new ExplainView(
        name,
        explanation.verdict().name().toLowerCase(Locale.ROOT),
        sentences,
        explanation.place(),
        explanation.machines(),
        explanation.offers(),
        explanation.rules().stream()
            .map(
                rule ->
                    new ExplainView.Rule(
                        rule.name(), rule.sentence(), rule.places(), rule.alone(), rule.nearest()))
            .toList(),
        explanation.remedies().stream()
            .map(remedy -> new ExplainView.Remedy(remedy.fields(question.run()), remedy.place()))
            .toList(),
        List.of());
  }

  private static String sentence(Explanation explanation, RunSpec run) {
    List<String> backends = run.first().wishes().backends();
    String all =
        counted(explanation.machines(), "machine")
            + " and "
            + counted(explanation.offers(), "offer")
            + (backends.isEmpty() ? "" : " of " + String.join(", ", backends));
    return switch (explanation.verdict()) {
      case PLACEABLE -> "It would be placed on " + explanation.place() + ".";
      case WAITS -> "It is waiting: none of " + all + " is available now, but that may change.";
      case UNPLACEABLE -> "Nothing matches: " + all + " were considered.";
      case NOTHING_THERE ->
          "There are no machines and no offers; add a backend with: berth backend add";
    };
  }

  private static String counted(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static String sentence(Explanation.Remedy remedy, RunSpec run) {
    return "Without "
        + String.join(" and ", remedy.fields(run).stream().map(field -> "'" + field + "'").toList())
        + " it would be placed on "
        + remedy.place()
        + ".";
  }
}
