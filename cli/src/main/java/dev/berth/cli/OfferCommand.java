package dev.berth.cli;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.defaults.CatalogInUse;
import dev.berth.catalog.defaults.DefaultCatalog;
import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.GroupKey;
import dev.berth.catalog.places.Providers;
import dev.berth.grammar.OfferQuestion;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.offers.Accelerator;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.OfferFilter;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what could be had, and its price. */
@Command(name = "offer", description = "Show offers that match the filters, cheapest first.")
final class OfferCommand implements Callable<Integer> {
  /** A table has 20 rows, each of one type in all its regions. */
  private static final Integer ENOUGH_FOR_TABLE = 5_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--gpu",
      paramLabel = "SPEC",
      description = "GPU model, memory and count: H100, A100:80GB:2, 24GB..")
  private @Nullable String gpu;

  @Option(names = "--cpu", paramLabel = "RANGE", description = "Number of CPUs: 4, 2..8, arm:4..")
  private @Nullable String cpu;

  @Option(names = "--memory", paramLabel = "RANGE", description = "Memory: 16GB, 8GB..64GB")
  private @Nullable String memory;

  @Option(names = "--disk", paramLabel = "RANGE", description = "Disk size: 100GB..")
  private @Nullable String disk;

  @ArgGroup private Spot spot = new Spot();

  /** At most one of the three. */
  static final class Spot {
    @Option(names = "--spot", description = "Only spot offers.")
    private boolean only;

    @Option(names = "--on-demand", description = "Only on-demand offers.")
    private boolean none;

    @Option(names = "--spot-auto", description = "Spot and on-demand (the default).")
    private boolean both;

    @Nullable Boolean asked() {
      return (both || only == none) ? null : (Boolean) only;
    }
  }

  @Option(
      names = "--max-price",
      paramLabel = "DOLLARS",
      description = "Maximum price per hour, in dollars.")
  private @Nullable Double maxPrice;

  @Option(
      names = {"-b", "--backend"},
      paramLabel = "BACKEND",
      description = "A backend, by name or type, or the catalog's name for a provider. Repeatable.")
  private List<String> backends = new ArrayList<>();

  @Option(
      names = {"-r", "--region"},
      paramLabel = "REGION",
      description = "A region or zone. Repeatable.")
  private List<String> regions = new ArrayList<>();

  @Option(
      names = "--country",
      paramLabel = "CC",
      description = "A two-letter country code, such as DE. Repeatable.")
  private List<String> countries = new ArrayList<>();

  @Option(
      names = "--instance-type",
      paramLabel = "TYPE",
      description = "An instance type. Repeatable.")
  private List<String> instanceTypes = new ArrayList<>();

  @Option(names = "--max-offers", paramLabel = "N", description = "Maximum number of offers.")
  private @Nullable Integer maxOffers;

  @Option(
      names = "--group-by",
      paramLabel = "KEY",
      split = ",",
      description = "Group by any of gpu, backend, region, count; separate several with commas.")
  private List<String> groupBy = new ArrayList<>();

  @Option(
      names = "--catalog-only",
      description = "Query the catalog on this machine instead of the server.")
  private boolean catalogOnly;

  @Option(names = "--include-suspect", description = "Include offers with implausible prices.")
  private boolean includeSuspect;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Whether no offer matches for want of any. */
  private boolean nothingToLookIn;

  @Override
  public Integer call() throws InterruptedException {
    if (maxOffers != null && maxOffers < 1) {
      throw wrong("--max-offers", "expected a positive whole number");
    }
    OfferRequest request =
        new OfferRequest(
            gpu,
            cpu,
            memory,
            disk,
            spot.asked(),
            maxPrice,
            backends,
            regions,
            countries,
            instanceTypes,
            includeSuspect,
            maxOffers == null && !json && groupBy.isEmpty() ? ENOUGH_FOR_TABLE : maxOffers,
            groupBy);
    OfferFilter filter = filter(request);
    OfferList answer = catalogOnly ? fromCatalog(filter) : fromServer(request);
    PrintWriter err = spec.commandLine().getErr();
    answer.warnings().forEach(warning -> err.println("berth: " + warning));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(tree(answer), out);
    } else if (answer.groups() != null) {
      OfferTable.printGroups(
          answer.total(), answer.groups(), groupBy.stream().distinct().toList(), out);
    } else {
      OfferTable.print(answer, out);
      if (answer.total() == 0) {
        out.println(emptyHint());
      }
    }
    return ExitCode.OK;
  }

  private static OfferFilter filter(OfferRequest request) {
    try {
      OfferFilter filter = OfferQuestion.filter(request);
      OfferAnswers.groupKeys(request.groupBy());
      return filter;
    } catch (OfferQuestion.WrongException e) {
      String option = e.field().equals("countries") ? "country" : e.field().replace('_', '-');
      throw wrong("--" + option, String.valueOf(e.getMessage()));
    } catch (CatalogException e) {
      throw wrong("--group-by", String.valueOf(e.getMessage()));
    }
  }

  private static CommandFailure wrong(String option, String sentence) {
    return new CommandFailure(ExitCode.USAGE, option + ": " + sentence);
  }

  private OfferList fromCatalog(OfferFilter filter) throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    CatalogInUse used = DefaultCatalogs.open(Home.find(), err).use(DefaultCatalog.PATIENCE);
    Catalog catalog = new CatalogHome(used.folder()).load(err);
    String note = used.note();
    List<String> warnings = new ArrayList<>();
    if (note != null) {
      warnings.add(note);
    } else if (catalog.snapshots().isEmpty()) {
      warnings.add(CatalogHome.NO_CATALOG);
    }
    nothingToLookIn = catalog.snapshots().isEmpty();
    if (!nothingToLookIn) {
      warnings.addAll(unknownWords(filter, catalog));
    }
    return groupBy.isEmpty()
        ? OfferAnswers.offers(catalog, filter, maxOffers, Map.of(), warnings, Instant.now())
        : OfferAnswers.groups(catalog, filter, OfferAnswers.groupKeys(groupBy), warnings);
  }

  /** A misspelt name finds nothing, and looks like nothing being sold. */
  private static List<String> unknownWords(OfferFilter filter, Catalog catalog) {
    List<String> sentences = new ArrayList<>();
    if (!filter.providers().isEmpty()) {
      Set<String> providers = new TreeSet<>();
      catalog
          .groups(OfferFilter.ANY, List.of(GroupKey.BACKEND))
          .forEach(group -> providers.add(String.valueOf(group.key().backend())));
      for (String asked : new TreeSet<>(filter.providers())) {
        if (Providers.same(asked).stream().noneMatch(providers::contains)) {
          sentences.add(
              "the catalog has no provider '"
                  + asked
                  + "'; it has "
                  + String.join(", ", providers));
        }
      }
    }
    for (String name : new TreeSet<>(filter.gpu().names())) {
      Optional<Accelerator> model = Accelerators.find(name);
      if (model.isEmpty()) {
        sentences.add("'" + name + "' is not a known GPU; list them with: berth catalog stats");
      } else if (model.get().vendor() == AcceleratorVendor.GOOGLE
          && model.get().name().equals(Accelerators.canonical(name))) {
        sentences.add(
            "TPUs are sold in slices; ask for a slice, such as " + model.get().name() + "-8");
      }
    }
    return sentences;
  }

  private OfferList fromServer(OfferRequest request) {
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      return connection.client().offers(connection.project(), request);
    }
  }

  private String emptyHint() {
    if (nothingToLookIn) {
      return "There is no catalog to search.";
    }
    return catalogOnly
        ? "No offer in the catalog matches."
        : "No offer matches, neither of your backends nor in the catalog.";
  }

  private static Map<String, @Nullable Object> tree(OfferList answer) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("total", answer.total());
    if (answer.groups() == null) {
      tree.put("offers", Json.tree(answer.offers()));
    } else {
      tree.put("groups", Json.tree(answer.groups()));
    }
    return tree;
  }
}
