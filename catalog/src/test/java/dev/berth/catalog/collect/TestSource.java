package dev.berth.catalog.collect;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.OfferSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** A source that does in a test what the test wants. */
record TestSource(
    String name,
    Kind kind,
    Callable<Fetched> answer,
    Function<List<CatalogItem>, List<String>> checks)
    implements OfferSource {
  static TestSource offline(String name, Callable<Fetched> answer) {
    return new TestSource(name, Kind.OFFLINE, answer, _ -> List.of());
  }

  /** The source that always fails. */
  static TestSource failing(String name) {
    return offline(
        name,
        () -> {
          throw new BackendException.Transient("the price API is down", null);
        });
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    try {
      return answer.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new BackendException.Transient("interrupted", e);
    }
  }

  @Override
  public List<String> check(List<CatalogItem> items) {
    return checks.apply(items);
  }
}
