package dev.berth.cli;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.gate.Finding;
import dev.berth.catalog.gate.Gate;
import dev.berth.catalog.gate.Rule;
import dev.berth.catalog.gate.Verdict;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.index.StoredVersion;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads every snapshot and judges the newest ones again. */
@Command(
    name = "check",
    description = "Verify all snapshots and check the latest one of each source again.")
final class CatalogCheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SOURCE", arity = "0..*", description = "The sources (default: all).")
  private List<String> sources = new ArrayList<>();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** What was found of one source. */
  private record Checked(String source, List<String> damaged, Verdict verdict) {
    boolean good() {
      return damaged.isEmpty() && !verdict.refused();
    }
  }

  @Override
  public Integer call() {
    CatalogStore store = CatalogHome.inUse(spec.commandLine().getErr()).folder().store();
    List<String> known = store.sources();
    if (known.isEmpty()) {
      throw new CommandFailure(ExitCode.FAILED, CatalogHome.NO_CATALOG);
    }
    CatalogHome.requireKnown(sources, known);
    List<Checked> all =
        (sources.isEmpty() ? known : sources).stream().map(source -> check(source, store)).toList();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(Map.of("sources", all.stream().map(CatalogCheckCommand::tree).toList()), out);
    } else {
      all.forEach(checked -> print(checked, out));
    }
    return all.stream().allMatch(Checked::good) ? ExitCode.OK : ExitCode.INVALID_FILE;
  }

  private static Checked check(String source, CatalogStore store) {
    List<String> damaged = new ArrayList<>();
    List<SnapshotContent> newest = new ArrayList<>();
    for (StoredVersion version : store.versions(source)) {
      try {
        SnapshotContent content = Snapshot.open(version.file()).content();
        if (newest.size() < 2) {
          newest.add(content);
        }
      } catch (CatalogException e) {
        damaged.add(String.valueOf(e.getMessage()));
      }
    }
    Verdict verdict =
        newest.isEmpty()
            ? new Verdict(List.of(new Finding(Rule.EMPTY, "No snapshot can be read.")))
            : Gate.judge(
                newest.size() > 1 ? newest.get(1) : null,
                newest.getFirst(),
                List.of(),
                Instant.now());
    return new Checked(source, damaged, verdict);
  }

  private static void print(Checked checked, PrintWriter out) {
    out.println(checked.source() + ": " + (checked.good() ? "good" : "not good"));
    checked.damaged().forEach(sentence -> out.println("  damaged: " + sentence));
    CollectionView.print(checked.verdict(), out);
  }

  private static Map<String, @Nullable Object> tree(Checked checked) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("source", checked.source());
    tree.put("good", checked.good());
    tree.put("damaged", checked.damaged());
    tree.put("findings", CollectionView.trees(checked.verdict()));
    return tree;
  }
}
