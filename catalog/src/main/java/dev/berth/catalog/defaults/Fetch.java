package dev.berth.catalog.defaults;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.Collector;
import dev.berth.catalog.collect.Progress;
import dev.berth.catalog.collect.Report;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.read.CatalogFormat;
import dev.berth.catalog.read.ImportRequest;
import dev.berth.catalog.read.Importer;
import dev.berth.catalog.read.ReadLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Fetches a published catalog once: what the gate believes is kept, the rest stays as it was. */
record Fetch(CatalogFolder copies, InstantSource clock) {
  private static final System.Logger LOG = System.getLogger(Fetch.class.getName());
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final int PARALLEL = 4;

  /** Several times what gpuhunt publishes. A server that has little memory must survive more. */
  private static final ReadLimits LIMITS = new ReadLimits(32 << 20, 500_000, 64 << 10, 250, 100);

  /** A sentence in a terminal, not a page. */
  private static final int LONGEST = 300;

  FetchState from(String address, FetchState before) throws InterruptedException {
    // Each tells of a provider whose last copy stands in for an answer.
    Queue<String> unanswered = new ConcurrentLinkedQueue<>();
    List<Report> reports;
    try (Importer importer = copies.importer(unanswered::add, LIMITS)) {
      reports =
          new Collector(clock, PARALLEL, DEADLINE)
              .collect(
                  importer.sources(
                      new ImportRequest(CatalogFormat.GPUHUNT, address, null, Set.of())),
                  copies,
                  false,
                  Progress.SILENT);
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the fetch was ended");
      }
      LOG.log(System.Logger.Level.DEBUG, "The catalog at " + address + " was not fetched", e);
      String message = e.getMessage();
      return before.failed(oneLine(message == null ? e.toString() : message), now());
    }
    List<String> problems = new ArrayList<>();
    unanswered.forEach(warning -> problems.add(warning.replaceFirst(" The copy of .*", "")));
    long accepted = 0;
    for (Report report : reports) {
      switch (report) {
        case Report.Accepted _ -> accepted++;
        case Report.Refused refused ->
            problems.add(refused.source() + " is not believed: " + refusal(refused));
        case Report.Failed failed -> problems.add(failed.source() + ": " + failed.sentence());
      }
    }
    problems.forEach(problem -> LOG.log(System.Logger.Level.INFO, problem));
    if (problems.isEmpty()) {
      return before.succeeded(newest(), now());
    }
    String more =
        problems.size() == 1
            ? ""
            : " (and " + (problems.size() - 1) + " more of " + reports.size() + " providers)";
    String sentence = oneLine(problems.getFirst()) + more;
    return accepted > unanswered.size()
        ? before.fellShort(newest(), sentence, now())
        : before.failed(sentence, now());
  }

  private @Nullable Instant newest() {
    return copies.store().load().catalog().snapshots().stream()
        .map(Snapshot::collectedAt)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private Instant now() {
    return clock.instant();
  }

  private static String refusal(Report.Refused refused) {
    return refused.verdict().refusals().stream()
        .map(finding -> finding.sentence())
        .collect(Collectors.joining("; "));
  }

  private static String oneLine(String sentence) {
    String line =
        sentence
            .replace("The mirror cannot be read: ", "")
            .replaceAll("[\\s\\p{Cntrl}]+", " ")
            .strip()
            .replaceFirst("\\.$", "");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
  }
}
