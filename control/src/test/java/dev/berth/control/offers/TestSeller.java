package dev.berth.control.offers;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BootWay;
import dev.berth.spi.Compute;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Reach;
import dev.berth.spi.Traits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A backend that sells what a test says, and notes what it is asked. */
final class TestSeller implements Compute, OfferSource {
  static final Instant COLLECTED = Instant.parse("2026-11-01T11:58:00Z");

  final List<OfferFilter> asked = new CopyOnWriteArrayList<>();

  /** The sizes of the lists that were to be qualified. */
  final List<Integer> qualified = new CopyOnWriteArrayList<>();

  volatile List<CatalogItem> items;

  /** Called before each answer. */
  volatile Runnable beforeAnswer = () -> {};

  /** What the account can have of an offer; empty where it can never have it. */
  volatile Function<QualifiedOffer, Optional<QualifiedOffer>> account = Optional::of;

  /** What an answer says besides the offers. */
  volatile List<QualifiedOffer> known = List.of();

  /** The disks that machines can have. */
  volatile Optional<DiskChoice> disk = Optional.empty();

  /** What its machines take at their creation. */
  volatile BootWay bootWay = BootWay.CloudInit.USUAL;

  /** The source in the catalog; empty where it is asked itself. */
  private final Optional<String> source;

  volatile boolean runsJobs = true;

  volatile Kind kind = Kind.ONLINE;

  /** The sources that only this account sees. */
  volatile List<OfferSource> sources = List.of();

  TestSeller(List<CatalogItem> items) {
    this.items = items;
    this.source = Optional.empty();
  }

  /** One whose offers stand in the catalog. */
  TestSeller(String source) {
    this.items = List.of();
    this.source = Optional.of(source);
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    asked.add(filter);
    beforeAnswer.run();
    return new Fetched(null, COLLECTED, items, List.of(), known);
  }

  @Override
  public Optional<DiskChoice> disk(CatalogItem item) {
    return disk;
  }

  @Override
  public BootWay bootWay(CatalogItem item) {
    return bootWay;
  }

  @Override
  public List<QualifiedOffer> qualify(List<CatalogItem> all) {
    qualified.add(all.size());
    return Compute.super.qualify(all).stream()
        .flatMap(offer -> account.apply(offer).stream())
        .toList();
  }

  @Override
  public Offers offers() {
    return source.<Offers>map(Offers.Catalogued::new).orElseGet(() -> new Offers.Live(this));
  }

  @Override
  public List<OfferSource> sources() {
    return sources;
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return runsJobs ? Optional.of(new UnusedRuntime()) : Optional.empty();
  }

  @Override
  public Traits traits() {
    return Traits.of(Traits.Base.CONTAINERS);
  }

  @Override
  public Identity identity() {
    return new Identity.Token();
  }

  @Override
  public Reach reach() {
    return Reach.ENGINE;
  }

  @Override
  public String name() {
    return "test";
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public void close() {}
}
