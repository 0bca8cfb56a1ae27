package dev.berth.testkit.checks;

import dev.berth.model.Accelerator;
import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.Found;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How busy accelerators are. */
final class GpuMetricsChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "gpu-metrics-are-of-running-jobs",
                  "utilisation() has no entry for jobs that have ended or are unknown, and"
                      + " percentages for those that run.",
                  GpuMetricsChecks::ofRunningJobs)
              .needing(Part.JOBS)
              .using(Trait.GPU_METRICS),
          check(
                  "gpu-metrics-count-each-accelerator",
                  "utilisation() has one percentage for each accelerator that a job has.",
                  GpuMetricsChecks::ofEach)
              .needing(Part.JOBS)
              .using(Trait.GPU_METRICS),
          check(
                  "gpu-metrics-refused",
                  "Without GPU_METRICS there is no gpuMetrics().",
                  trial ->
                      trial.noBehaviour(
                          trial.compute().gpuMetrics(), Trait.GPU_METRICS, "gpuMetrics()"))
              .refusing(Trait.GPU_METRICS));

  private GpuMetricsChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.BEHAVIOURS, name, sentence, body);
  }

  private static GpuMetrics metrics(Trial trial) {
    return trial.behaviour(trial.compute().gpuMetrics(), Trait.GPU_METRICS, "gpuMetrics()");
  }

  private static GpuMetrics.Holder holder(String job) {
    return new GpuMetrics.Holder(job, Set.of());
  }

  private static void ofRunningJobs(Trial trial) {
    GpuMetrics metrics = metrics(trial);
    String unknown = trial.key();
    String running = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(running);
    String ended = trial.jobs().run("echo done");
    trial.jobs().awaitEnd(ended);
    Map<String, List<Integer>> told =
        metrics.utilisation(List.of(holder(running), holder(ended), holder(unknown)));
    Expect.that(
        Set.of(running).containsAll(told.keySet()),
        "utilisation() has an entry for a job that ended or that nobody knows");
    percentages(told.getOrDefault(running, List.of()));
  }

  private static void percentages(List<Integer> told) {
    told.forEach(
        percent ->
            Expect.that(
                percent >= 0 && percent <= 100,
                "utilisation() tells " + percent + ", which is no percentage from 0 to 100"));
  }

  private static void ofEach(Trial trial) {
    GpuMetrics metrics = metrics(trial);
    Busy busy =
        trial.traits().base() == Traits.Base.HOSTS
            ? onHost(trial)
            : atOffer(trial, cheapest(trial));
    String job = trial.jobs().start(busy.request());
    trial.jobs().awaitRunning(job);
    GpuMetrics.Holder holder = new GpuMetrics.Holder(job, busy.request().share().devices());
    List<Integer> told =
        trial.await(
            trial.limits().ready(),
            "utilisation() had no entry for a job with an accelerator",
            () -> Optional.ofNullable(metrics.utilisation(List.of(holder)).get(job)));
    Expect.same(busy.gpus(), told.size(), "the number of percentages");
    percentages(told);
  }

  /** A job with accelerators. */
  private record Busy(JobRequest request, int gpus) {}

  /** One accelerator of a machine that is there by itself. */
  private static Busy onHost(Trial trial) {
    Accelerator device =
        trial.compute().ownMachines().stream()
            .flatMap(machine -> machine.accelerators().stream())
            .findFirst()
            .orElseThrow(() -> new NotApplicable("its machines have no accelerators"));
    JobRequest bare = trial.jobs().request("sleep 3600");
    ResourceVector share = new ResourceVector(1, 1, 256, 0, Set.of(device.id()));
    return new Busy(new JobRequest(bare.attemptId(), bare.spec(), share), 1);
  }

  private static CatalogItem cheapest(Trial trial) {
    return trial.offered().usable().stream()
        .map(offer -> offer.item())
        .filter(item -> item.gpu() != null && !item.spot())
        .findFirst()
        .orElseThrow(() -> new NotApplicable("no offer with an accelerator can be had"));
  }

  private static Busy atOffer(Trial trial, CatalogItem item) {
    Place place = trial.offered().find(item::equals).orElseThrow();
    CatalogItem.@Nullable Gpu gpu = item.gpu();
    JobRequest bare = trial.jobs().member("sleep 3600");
    if (trial.traits().base() == Traits.Base.MACHINES) {
      Found made = trial.things().create(trial.things().machine(trial.key(), place));
      place = place.on(trial.things().awaitReady(made.ref()).ref().id());
    }
    return new Busy(bare.at(place), gpu == null ? 0 : gpu.count());
  }
}
