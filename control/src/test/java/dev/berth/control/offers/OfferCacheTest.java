package dev.berth.control.offers;

import static dev.berth.control.offers.OfferWorld.BEGIN;
import static dev.berth.control.offers.OfferWorld.anything;
import static dev.berth.control.offers.OfferWorld.item;
import static dev.berth.control.offers.OfferWorld.many;
import static dev.berth.control.offers.OfferWorld.names;
import static dev.berth.control.offers.OfferWorld.ofTypes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.control.MachineConnector;
import dev.berth.decisions.OfferAnswer;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.OfferView;
import dev.berth.model.Availability;
import dev.berth.model.Boot;
import dev.berth.spi.BackendException;
import dev.berth.spi.BootWay;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.OfferSource;
import dev.berth.spi.QualifiedOffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked of whom, when, and what stands in for an answer. */
final class OfferCacheTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FRESH = Limits.USUAL.fresh();

  private final OfferWorld world = new OfferWorld();

  @Test
  void whoeverAsksGetsTheOffersOfAllCheapestFirst() {
    world.live("one", item("dear", 3), item("fair", 2));
    world.live("other", item("cheap", 1));
    OfferAnswer answer = world.ask(anything());
    assertThat(names(answer)).containsExactly("other/cheap", "one/fair", "one/dear");
    assertThat(answer.settled()).isTrue();
    assertThat(answer.complete()).isTrue();
    assertThat(answer.asOf()).isEqualTo(BEGIN);
    assertThat(world.told()).isEqualTo(1);
  }

  @Test
  void whatAnAnswerSaysOfItsOffersStandsUnlessTheAccountKnowsBetter() {
    TestSeller seller = world.live("one", item("gone", 1), item("there", 2), item("left", 3));
    seller.known =
        List.of(
            new QualifiedOffer(item("gone", 1), Availability.NOT_AVAILABLE, List.of()),
            new QualifiedOffer(item("there", 2), Availability.AVAILABLE, List.of("eu-1b")),
            new QualifiedOffer(item("left", 3), Availability.AVAILABLE, List.of("eu-1c")));
    seller.account =
        offer ->
            Optional.of(
                offer.item().instanceType().equals("left")
                    ? new QualifiedOffer(offer.item(), Availability.NO_QUOTA, List.of("eu-1a"))
                    : offer);
    OfferAnswer answer = world.ask(anything());
    assertThat(answer.candidates())
        .extracting(candidate -> candidate.availability())
        .containsExactly(Availability.NOT_AVAILABLE, Availability.AVAILABLE, Availability.NO_QUOTA);
    assertThat(answer.candidates())
        .extracting(candidate -> candidate.zones())
        .containsExactly(List.of(), List.of("eu-1b"), List.of("eu-1a"));
  }

  @Test
  void aChosenDiskHasItsPriceAndOrdersTheOffers() {
    world.live("chosen", item("small", 1)).disk =
        Optional.of(new DiskChoice(200 * 1024, 400 * 1024, 0.01));
    world.live("given", item("other", 2.5));
    OfferAnswer answer = world.ask(anything());
    assertThat(names(answer)).containsExactly("given/other", "chosen/small");
    assertThat(answer.candidates().getLast().item().price()).isEqualTo(3);
    assertThat(answer.candidates().getLast().item().diskMib()).isEqualTo(200 * 1024);
  }

  @Test
  void beforeAnybodyAnsweredNothingIsSettled() {
    world.live("one", item("fair", 2));
    world.cache.open("one");
    OfferAnswer answer = world.cache.view().offers(anything());
    assertThat(answer).isEqualTo(OfferAnswer.UNKNOWN);
    assertThat(world.cache.view().isEmpty()).isFalse();
  }

  @Test
  void whereNobodySellsAllIsKnown() {
    world.live("one", item("fair", 2)).runsJobs = false;
    assertThat(world.ask(anything())).isEqualTo(OfferView.NONE.offers(anything()));
    assertThat(world.cache.view().isEmpty()).isTrue();
  }

  @Test
  void whatIsAskedForIsAskedOfTheProviderOnceForAllWhoAskTheSame() {
    TestSeller seller = world.live("one", item("fair", 2), item("dear", 3));
    OfferRequirement ofMain = ofTypes("fair");
    OfferRequirement ofOther = OfferRequirement.of("other", ofMain.items().question());
    world.cache.want(Map.of(ofMain, Instant.MIN, ofOther, Instant.MIN));
    world.settle();
    assertThat(seller.asked).containsExactly(ofMain.items().question());
    assertThat(names(world.cache.view().offers(ofMain))).containsExactly("one/fair");
    assertThat(names(world.cache.view().offers(ofOther))).containsExactly("one/fair");
  }

  @Test
  void backendsOfOtherProjectsAreNotAsked() {
    TestSeller seller = world.live("one@other", item("fair", 2));
    assertThat(world.ask(anything()).candidates()).isEmpty();
    assertThat(seller.asked).isEmpty();
  }

  @Test
  void aSlowBackendHoldsUpNobodyBeyondItsDeadline() {
    world.live("fast", item("fair", 2));
    world.live("slow", item("cheap", 1));
    world.hold("slow");
    OfferAnswer early = world.ask(anything());
    assertThat(names(early)).containsExactly("fast/fair");
    assertThat(early.settled()).as("something cheaper may come").isFalse();
    world.told();
    world.pass(Limits.USUAL.deadline());
    OfferAnswer late = world.cache.view().offers(anything());
    assertThat(late.settled()).isTrue();
    assertThat(late.complete()).isFalse();
    assertThat(late.asOf()).isEqualTo(BEGIN);
    assertThat(world.told()).as("whoever waits takes what there is").isEqualTo(1);
    // Known to be slow, it is not waited for a second time.
    OfferAnswer next = world.ask(ofTypes("fair", "cheap"));
    assertThat(next.settled()).isTrue();
    assertThat(names(next)).containsExactly("fast/fair");
    world.pass(Duration.ofSeconds(25));
    world.release("slow");
    assertThat(names(world.cache.view().offers(anything())))
        .as("a late answer counts")
        .containsExactly("slow/cheap", "fast/fair");
    assertThat(world.cache.view().offers(anything()).complete()).isTrue();
  }

  @Test
  void whoIsAnsweredInTimeAgainIsWaitedForAgain() {
    world.live("slow", item("cheap", 1));
    world.hold("slow");
    world.ask(anything());
    world.pass(Limits.USUAL.deadline());
    world.release("slow");
    world.pass(FRESH);
    world.ask(anything());
    world.hold("slow");
    assertThat(world.ask(ofTypes("cheap")).settled()).isFalse();
  }

  @Test
  void aBackendThatNeverAnswersIsGivenUpAndAskedAgain() {
    TestSeller silent = world.live("silent", item("cheap", 1));
    world.hold("silent");
    world.ask(anything());
    world.pass(Limits.USUAL.giveUp());
    world.release("silent");
    assertThat(silent.asked).as("nobody waits for the first call").hasSize(1);
    assertThat(names(world.cache.view().offers(anything()))).containsExactly("silent/cheap");
  }

  @Test
  void aBackendThatFailsHoldsUpNobody() {
    TestSeller broken = world.live("broken", item("cheap", 1));
    broken.beforeAnswer =
        () -> {
          throw new BackendException.Transient("try later", null);
        };
    world.live("fast", item("fair", 2));
    OfferAnswer answer = world.ask(anything());
    assertThat(names(answer)).containsExactly("fast/fair");
    assertThat(answer.settled()).isTrue();
    assertThat(answer.complete()).as("it never answered").isFalse();
    broken.beforeAnswer =
        () -> {
          throw new NoClassDefFoundError("a plug-in without a part");
        };
    world.pass(FRESH);
    assertThat(broken.asked).as("it is asked again").hasSize(2);
    broken.beforeAnswer = () -> {};
    world.pass(FRESH);
    assertThat(names(world.cache.view().offers(anything())))
        .containsExactly("broken/cheap", "fast/fair");
    assertThat(world.cache.view().offers(anything()).complete()).isTrue();
  }

  @Test
  void theLastGoodAnswerStandsInWithItsAge() throws InterruptedException {
    TestSeller seller = world.live("one", item("fair", 2));
    world.ask(anything());
    seller.beforeAnswer =
        () -> {
          throw new BackendException.Transient("try later", null);
        };
    world.pass(Duration.ofSeconds(8));
    OfferAnswer stale = world.ask(anything(), world.instant());
    assertThat(names(stale)).containsExactly("one/fair");
    assertThat(stale.complete()).isTrue();
    assertThat(stale.asOf()).as("it was asked, though in vain").isEqualTo(world.instant());
    OfferListing listing = world.cache.list(anything(), 0, Duration.ZERO);
    assertThat(listing.warnings())
        .containsExactly(Map.entry("one", "shows offers that are 8 seconds old: try later"));
    assertThat(listing.collectedAt()).containsEntry("one", TestSeller.COLLECTED);
  }

  @Test
  void answersAreRefreshedWhereTheyAreNeededAndNotFasterThanProvidersLike() {
    TestSeller seller = world.live("one", item("fair", 2));
    world.ask(anything());
    world.pass(SECOND);
    world.ask(anything());
    assertThat(seller.asked).as("fresh enough").hasSize(1);
    Instant came = world.instant();
    assertThat(world.ask(anything(), came).asOf()).isEqualTo(BEGIN);
    world.pass(FRESH);
    assertThat(seller.asked).as("who came since wants a newer one").hasSize(2);
    assertThat(world.cache.view().offers(anything()).asOf()).isAfter(came);
    world.pass(FRESH);
    world.pass(FRESH);
    assertThat(seller.asked).as("nobody asked since").hasSize(2);
    world.ask(anything());
    assertThat(seller.asked).hasSize(3);
  }

  @Test
  void whatNobodyAsksForAnyMoreIsForgotten() {
    TestSeller seller = world.live("one", item("fair", 2));
    world.ask(anything());
    world.pass(Limits.USUAL.keep());
    assertThat(world.cache.view().offers(anything())).isEqualTo(OfferAnswer.UNKNOWN);
    assertThat(world.cache.next(world.instant())).isEmpty();
    assertThat(world.ask(anything()).complete()).isTrue();
    assertThat(seller.asked).hasSize(2);
  }

  @Test
  void theLoopIsToldWhenWhatItWaitsForIsForgotten() {
    Limits usual = Limits.USUAL;
    OfferWorld small =
        new OfferWorld(
            new Limits(
                usual.fresh(),
                usual.soon(),
                usual.deadline(),
                usual.giveUp(),
                usual.keep(),
                usual.first(),
                usual.most(),
                usual.atOnce(),
                1));
    small.live("silent", item("fair", 2));
    small.hold("silent");
    small.ask(anything());
    assertThat(small.told()).isZero();
    small.ask(ofTypes("fair"));
    assertThat(small.told()).as("it asks again if it still wants it").isEqualTo(1);
  }

  @Test
  void nothingIsBoughtOfWhoIsAboutToGo() {
    world.live("one", item("fair", 2));
    world.live("other", item("dear", 3));
    world.ask(anything());
    world.cache.close("one");
    assertThat(names(world.cache.view().offers(anything()))).containsExactly("other/dear");
    world.settle();
    assertThat(names(world.cache.view().offers(anything()))).containsExactly("other/dear");
    world.cache.open("one");
    OfferAnswer reopened = world.cache.view().offers(anything());
    assertThat(reopened.complete()).as("nothing is complete without its answer").isFalse();
    assertThat(names(world.ask(anything()))).containsExactly("one/fair", "other/dear");
  }

  @Test
  void anAnswerOfAClosedBackendIsNotKept() {
    world.live("one", item("fair", 2));
    world.hold("one");
    world.ask(anything());
    world.cache.close("one");
    world.cache.open("one");
    world.backends.put("one", new TestSeller(List.of(item("new", 1))));
    world.release("one");
    assertThat(names(world.ask(anything()))).containsExactly("one/new");
  }

  @Test
  void failuresAreForgottenInTime() {
    world.cache.failed("one/offer");
    world.cache.failedTogether("one/area");
    OfferView view = world.cache.view();
    assertThat(view.isBarred("one/offer", BEGIN.plusSeconds(89))).isTrue();
    assertThat(view.isBarred("one/offer", BEGIN.plusSeconds(90))).isFalse();
    assertThat(view.isBarred("one/area", BEGIN.plusSeconds(599))).isTrue();
    world.pass(Duration.ofSeconds(91));
    world.cache.failed("one/another");
    assertThat(world.cache.view().failures()).containsOnlyKeys("one/another", "one/area");
  }

  @Test
  void ofACatalogOnlyTheCheapestAreLookedAt() {
    TestSeller seller = world.catalogued("cloud", many(20_000));
    OfferAnswer answer = world.ask(anything());
    assertThat(seller.qualified).containsExactly(Limits.USUAL.first());
    assertThat(answer.candidates()).hasSize(Limits.USUAL.first());
    assertThat(names(answer)).startsWith("cloud/type-0", "cloud/type-1");
    assertThat(answer.settled()).isTrue();
    assertThat(answer.complete()).as("there are more").isFalse();
  }

  @Test
  void whoFindsNothingAmongTheFirstGetsMoreUpToABound() {
    TestSeller seller = world.catalogued("cloud", many(20_000));
    seller.account =
        offer ->
            Optional.of(new QualifiedOffer(offer.item(), Availability.NO_QUOTA, offer.zones()));
    world.ask(anything(), BEGIN);
    for (int i = 0; i < 10 && !world.cache.view().offers(anything()).complete(); i++) {
      world.ask(anything(), BEGIN);
    }
    assertThat(world.cache.view().offers(anything()).complete()).isTrue();
    assertThat(seller.qualified).containsExactly(500, 2_000, 8_000, 10_000);
  }

  @Test
  void anOfferDeepInACatalogIsFoundWithoutAskingForAllBeforeIt() {
    TestSeller seller = world.catalogued("cloud", many(20_000));
    OfferAnswer answer = world.ask(ofTypes("type-19999"));
    assertThat(names(answer)).containsExactly("cloud/type-19999");
    assertThat(seller.qualified).containsExactly(1);
  }

  @Test
  void aBackendWhoseSourceIsNotInTheCatalogSaysSo() throws InterruptedException {
    world.catalogued("cloud", many(1));
    world.catalog.clear();
    assertThat(world.ask(anything()).complete()).isFalse();
    assertThat(world.cache.list(anything(), 0, Duration.ZERO).warnings().get("cloud"))
        .contains("the catalog has no offers of 'cloud'", "berth catalog import");
  }

  @Test
  void machinesAreToldWhatToDoFirstInTheWayOfTheirProvider() {
    world.boots = way -> new Boot(way.toString(), List.of("ssh-ed25519 AAAA"));
    world.live("cloud", item("fair", 1)).bootWay = new BootWay.Script(100);
    assertThat(world.ask(anything()).candidates())
        .extracting(candidate -> candidate.abilities().boot())
        .containsExactly(new Boot("Script[maxBytes=100]", List.of("ssh-ed25519 AAAA")));
  }

  @Test
  void machinesThatCannotBeToldWhatToDoFirstAreNotOffered() throws InterruptedException {
    world.boots = _ -> new Boot("#!/bin/sh\n", List.of());
    world.live("large", item("dear", 2));
    world.live("small", item("fair", 1)).bootWay = new BootWay.CloudInit(9);
    world.live("none", item("cheap", 1)).bootWay = new BootWay.OverSsh();
    assertThat(names(world.ask(anything()))).containsExactly("large/dear");
    Map<String, String> warnings = world.cache.list(anything(), 0, Duration.ZERO).warnings();
    assertThat(warnings.get("small"))
        .contains("a text of 10 bytes, and its provider takes at most 9");
    assertThat(warnings.get("none")).contains("its provider takes at most 0");
  }

  @Test
  void anAccountFindsTheOffersThatItAloneSees() throws InterruptedException {
    TestSeller source = new TestSeller(many(3));
    source.kind = OfferSource.Kind.OFFLINE;
    TestSeller one = world.catalogued("test", many(1));
    one.sources = List.of(source);
    assertThat(world.ask(anything()).complete()).isFalse();
    assertThat(world.cache.list(anything(), 0, Duration.ZERO).warnings().get("test"))
        .contains("the prices that 'test' tells this account have not been collected yet");
    world.catalog.put("test/test", OfferWorld.snapshot("test", many(3)));
    world.pass(Duration.ofMinutes(10));
    assertThat(world.ask(anything()).candidates()).hasSize(3);
    assertThat(source.asked).as("it is asked when it is collected").isEmpty();
  }

  @Test
  void anAccountsOwnSourceIsAskedWhereItIsOnline() {
    TestSeller source = new TestSeller(many(3));
    TestSeller one = world.catalogued("test", many(1));
    one.sources = List.of(source);
    assertThat(world.ask(anything()).candidates()).hasSize(3);
    assertThat(source.asked).hasSize(1);
  }

  @Test
  void aSourceWithoutAnAccountStandsInForTheCatalog() {
    TestSeller seller = new TestSeller("test");
    world.backends.put("cloud", seller);
    TestSeller source = new TestSeller(List.of(item("fair", 2), item("given-away", 0)));
    world.online.add(source);
    assertThat(names(world.ask(anything()))).as("absurd prices").containsExactly("cloud/fair");
    assertThat(source.asked).containsExactly(anything().items().question());
  }

  @Test
  void whatAProviderSaysToTheAccountIsBelieved() {
    world.live("cluster", item("free", 0));
    assertThat(names(world.ask(anything()))).containsExactly("cluster/free");
  }

  @Test
  void anotherQuestionIsAnsweredFromTheOneForEverythingMeanwhile() {
    world.live("one", item("fair", 2), item("dear", 3));
    world.ask(anything());
    world.hold("one");
    OfferAnswer meanwhile = world.ask(ofTypes("dear"));
    assertThat(names(meanwhile)).containsExactly("one/dear");
    assertThat(meanwhile.settled()).isFalse();
    assertThat(meanwhile.complete()).isFalse();
  }

  @Test
  void oneQuestionIsOpenForAllWhoWait() {
    world.live("one", item("fair", 2));
    world.hold("one");
    world.ask(anything());
    world.ask(anything(), BEGIN);
    world.pass(FRESH);
    world.ask(anything(), world.instant());
    assertThat(world.held.get("one")).hasSize(1);
  }

  @Test
  void aBackendGetsOnlySoManyQuestionsAtOnce() {
    TestSeller seller = world.live("one", item("fair", 2));
    world.hold("one");
    for (int i = 0; i < 3 * Limits.USUAL.atOnce(); i++) {
      world.ask(ofTypes("type-" + i));
    }
    assertThat(world.held.get("one")).hasSize(Limits.USUAL.atOnce());
    world.release("one");
    assertThat(seller.asked).as("the others are asked then").hasSize(3 * Limits.USUAL.atOnce());
  }

  @Test
  @Timeout(60)
  void aPlanDoesNotWaitForABackendThatIsSilent() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    TestSeller slow = new TestSeller(List.of(item("cheap", 1)));
    slow.beforeAnswer =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            ended.countDown();
            throw new BackendException.Transient("it was ended", e);
          }
        };
    OfferCache cache =
        new OfferCache(
            new ConcurrentHashMap<>(
                Map.of("slow", slow, "fast", new TestSeller(List.of(item("fair", 2))))),
            _ -> "cloud",
            compute -> compute.runtime().map(_ -> MachineConnector.Equipment.BY_BACKEND),
            InstantSource.system(),
            (_, call) -> Thread.ofVirtual().start(call),
            () -> {},
            Limits.USUAL);
    Thread steps =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (true) {
                      cache.awaitWork();
                      cache.step();
                    }
                  } catch (InterruptedException e) {
                    // The test ends.
                    Thread.currentThread().interrupt();
                  }
                });
    try {
      OfferView view = cache.await(List.of(anything()), 0, Duration.ofMinutes(10));
      assertThat(names(view.offers(anything()))).containsExactly("fast/fair");
      assertThat(never.getCount()).as("it is silent still").isEqualTo(1);
    } finally {
      steps.interrupt();
      steps.join();
      cache.close();
    }
    assertThat(ended.await(30, TimeUnit.SECONDS)).as("closing ends what is open").isTrue();
  }
}
