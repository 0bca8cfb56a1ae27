package dev.berth.cli;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.OfferAnswers;
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
@Command(
    name = "offer",
    description = "Show offers, the cheapest first: exactly those that the filters leave.")
final class OfferCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--gpu", paramLabel = "SPEC", description = "Such as H100, A100:80GB:2, 24GB..")
  private @Nullable String gpu;

  @Option(names = "--cpu", paramLabel = "RANGE", description = "Such as 4, 2..8 or arm:4..")
  private @Nullable String cpu;

  @Option(names = "--memory", paramLabel = "RANGE", description = "Such as 16GB or 8GB..64GB")
  private @Nullable String memory;

  @Option(names = "--disk", paramLabel = "RANGE", description = "Such as 100GB..")
  private @Nullable String disk;

  @ArgGroup private Spot spot = new Spot();

  /** At most one of the three. */
  static final class Spot {
    @Option(names = "--spot", description = "Only spot offers.")
    private boolean only;

    @Option(names = "--on-demand", description = "Only on-demand offers.")
    private boolean none;

    @Option(names = "--spot-auto", description = "Both, which is also so without this option.")
    private boolean both;

    @Nullable Boolean asked() {
      return (both || only == none) ? null : (Boolean) only;
    }
  }

  @Option(names = "--max-price", paramLabel = "DOLLARS", description = "At most so much an hour.")
  private @Nullable Double maxPrice;

  @Option(
      names = {"-b", "--backend"},
      paramLabel = "BACKEND",
      description = "A type of backend, or the catalog's name for the provider; repeatable.")
  private List<String> backends = new ArrayList<>();

  @Option(
      names = {"-r", "--region"},
      paramLabel = "REGION",
      description = "A region or zone; repeatable.")
  private List<String> regions = new ArrayList<>();

  @Option(
      names = "--country",
      paramLabel = "CC",
      description = "A country of two letters, such as DE; repeatable.")
  private List<String> countries = new ArrayList<>();

  @Option(names = "--instance-type", paramLabel = "TYPE", description = "Repeatable.")
  private List<String> instanceTypes = new ArrayList<>();

  @Option(names = "--max-offers", paramLabel = "N", description = "At most so many.")
  private @Nullable Integer maxOffers;

  @Option(
      names = "--group-by",
      paramLabel = "KEY",
      split = ",",
      description = "Any of gpu, backend, region, count, with commas between.")
  private List<String> groupBy = new ArrayList<>();

  @Option(
      names = "--catalog-only",
      description = "Ask the catalog on this machine, whatever backends there are; no server.")
  private boolean catalogOnly;

  @Option(names = "--include-suspect", description = "Also offers whose price is not trusted.")
  private boolean includeSuspect;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    if (maxOffers != null && maxOffers < 1) {
      throw wrong("--max-offers", "expected a whole number from 1 on");
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
            maxOffers,
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

  private OfferList fromCatalog(OfferFilter filter) {
    Catalog catalog = CatalogHome.find().load(spec.commandLine().getErr());
    List<String> warnings =
        catalog.snapshots().isEmpty()
            ? List.of(CatalogHome.NO_CATALOG)
            : unknownWords(filter, catalog);
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
        sentences.add("'" + name + "' is not a GPU that is known; berth catalog stats lists them");
      } else if (model.get().vendor() == AcceleratorVendor.GOOGLE
          && model.get().name().equals(Accelerators.canonical(name))) {
        sentences.add("TPUs are sold in slices; ask for one, such as " + model.get().name() + "-8");
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
    return catalogOnly
        ? "No offer of the catalog matches."
        : "No offer of your backends matches; --catalog-only shows what else is sold.";
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
