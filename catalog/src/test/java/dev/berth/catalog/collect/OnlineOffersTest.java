package dev.berth.catalog.collect;

import static dev.berth.catalog.collect.TestSource.online;
import static dev.berth.catalog.gate.Samples.cloud;
import static dev.berth.catalog.gate.Samples.fetched;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.gate.Medians;
import dev.berth.catalog.gate.Samples;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.OfferSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OnlineOffersTest {
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
  private static final OfferFilter IN_EAST =
      new OfferFilter(
          Set.of(),
          Set.of("east"),
          Set.of(),
          Set.of(),
          Set.of(),
          null,
          null,
          null,
          null,
          OfferFilter.Gpu.ANY,
          null,
          null,
          null,
          false);
  private final TestClock clock = new TestClock();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicReference<Callable<OfferSource.Fetched>> behaviour =
      new AtomicReference<>(() -> fetched(cloud()));
  private final OfferSource source =
      online(
          "market",
          () -> {
            asked.incrementAndGet();
            return behaviour.get().call();
          });

  @Test
  void anAnswerIsGivenAgainForAWhile() throws InterruptedException {
    try (OnlineOffers offers = patient(source)) {
      assertThat(one(offers).age()).isZero();
      clock.goOn(HALF_A_MINUTE.minusSeconds(1));
      assertThat(one(offers).age()).isEqualTo(HALF_A_MINUTE.minusSeconds(1));
      assertThat(one(offers).warning()).isNull();
      assertThat(asked).hasValue(1);
      clock.goOn(Duration.ofSeconds(1));
      assertThat(one(offers).age()).isZero();
      assertThat(asked).hasValue(2);
    }
  }

  @Test
  void eachQuestionIsAskedForItself() throws InterruptedException {
    try (OnlineOffers offers = patient(source)) {
      offers.ask(OfferFilter.ANY, false);
      offers.ask(IN_EAST, false);
      offers.ask(IN_EAST, true);
      offers.ask(IN_EAST, true);
    }
    assertThat(asked).hasValue(3);
  }

  @Test
  void aFailingSourceShowsItsLastAnswerWithItsAge() throws InterruptedException {
    try (OnlineOffers offers = patient(source)) {
      one(offers);
      behaviour.set(
          () -> {
            throw new BackendException.Transient("no route to host", null);
          });
      clock.goOn(Duration.ofSeconds(90));
      OnlineAnswer answer = one(offers);
      assertThat(Objects.requireNonNull(answer.content()).offers()).hasSize(40);
      assertThat(answer.age()).isEqualTo(Duration.ofSeconds(90));
      assertThat(answer.warning())
          .isEqualTo("market shows offers that are 90 seconds old: no route to host");
      assertThat(answer.cause()).isInstanceOf(BackendException.class);

      // It is left alone for a moment, and then asked again.
      one(offers);
      assertThat(asked).hasValue(2);
      behaviour.set(() -> fetched(cloud()));
      clock.goOn(Duration.ofSeconds(5));
      assertThat(one(offers).warning()).isNull();
    }
  }

  @Test
  void anotherQuestionIsAnsweredFromTheOneForEverything() throws InterruptedException {
    try (OnlineOffers offers = patient(source)) {
      one(offers);
      behaviour.set(
          () -> {
            throw new IllegalStateException();
          });
      OnlineAnswer answer = offers.ask(IN_EAST, false).getFirst();
      assertThat(Objects.requireNonNull(answer.content()).offers()).hasSize(40);
      assertThat(answer.warning()).endsWith("old: IllegalStateException");
    }
  }

  @Test
  void aSourceThatNeverAnsweredSaysSoAndTheOthersAnswer() throws InterruptedException {
    OfferSource broken =
        online(
            "broken",
            () -> {
              throw new NoClassDefFoundError("com/example/Gone");
            });
    try (OnlineOffers offers = patient(broken, source)) {
      List<OnlineAnswer> answers = offers.ask(OfferFilter.ANY, false);
      assertThat(answers).extracting(OnlineAnswer::source).containsExactly("broken", "market");
      assertThat(answers.getFirst().content()).isNull();
      assertThat(answers.getFirst().warning())
          .isEqualTo("broken has no offers to show: com/example/Gone");
      assertThat(answers.getLast().warning()).isNull();
    }
  }

  @Test
  void aSlowAnswerIsKeptForTheNextWhoAsks() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch judged = new CountDownLatch(1);
    behaviour.set(
        () -> {
          release.await();
          return fetched(cloud());
        });
    // The medians are asked for after the source has answered.
    try (OnlineOffers offers =
        new OnlineOffers(
            List.of(source),
            clock,
            limits(Duration.ofMillis(1)),
            items -> {
              judged.countDown();
              return Medians.of(items);
            })) {
      OnlineAnswer slow = one(offers);
      assertThat(slow.content()).isNull();
      assertThat(slow.warning()).startsWith("market has no offers to show: no answer within");

      release.countDown();
      judged.await();
      OnlineAnswer later = one(offers);
      while (later.content() == null) {
        Thread.onSpinWait();
        later = one(offers);
      }
      assertThat(later.warning()).isNull();
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void oneQuestionIsInFlightForAllWhoWait() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch inFlight = new CountDownLatch(1);
    behaviour.set(
        () -> {
          inFlight.countDown();
          release.await();
          return fetched(cloud());
        });
    List<OnlineAnswer> answers = new ArrayList<>();
    try (OnlineOffers offers = patient(source)) {
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(Thread.ofVirtual().start(() -> collectInto(answers, offers)));
      }
      inFlight.await();
      release.countDown();
      for (Thread thread : waiting) {
        thread.join();
      }
    }
    assertThat(asked).hasValue(1);
    assertThat(answers).hasSize(20).allMatch(answer -> answer.warning() == null);
  }

  @Test
  void aQuestionThatHangsIsGivenUpAndAskedAgain() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    behaviour.set(
        () -> {
          started.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            interrupted.countDown();
          }
          return fetched(List.of());
        });
    try (OnlineOffers offers = impatient(source)) {
      one(offers);
      started.await();
      behaviour.set(() -> fetched(cloud()));
      clock.goOn(Duration.ofMinutes(1));
      OnlineAnswer answer = one(offers);
      while (answer.content() == null) {
        Thread.onSpinWait();
        answer = one(offers);
      }
      interrupted.await();
      assertThat(answer.warning()).isNull();
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void closingInterruptsWhatIsOpen() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    behaviour.set(
        () -> {
          started.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            interrupted.countDown();
          }
          return fetched(List.of());
        });
    try (OnlineOffers offers = impatient(source)) {
      one(offers);
      started.await();
    }
    interrupted.await();
    assertThat(asked).hasValue(1);
  }

  @Test
  void absurdPricesOfAnAnswerAreSetApart() throws InterruptedException {
    behaviour.set(() -> fetched(List.of(Samples.cpu("m", "east", true, 0))));
    try (OnlineOffers offers = patient(source)) {
      assertThat(Objects.requireNonNull(one(offers).content()).suspects()).hasSize(1);
    }
  }

  private static void collectInto(List<OnlineAnswer> answers, OnlineOffers offers) {
    try {
      OnlineAnswer answer = one(offers);
      synchronized (answers) {
        answers.add(answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static OnlineAnswer one(OnlineOffers offers) throws InterruptedException {
    return offers.ask(OfferFilter.ANY, false).getFirst();
  }

  private OnlineOffers patient(OfferSource... sources) {
    return new OnlineOffers(List.of(sources), clock, limits(Duration.ofMinutes(5)), Medians::of);
  }

  private OnlineOffers impatient(OfferSource... sources) {
    return new OnlineOffers(List.of(sources), clock, limits(Duration.ofMillis(1)), Medians::of);
  }

  private static OnlineOffers.Limits limits(Duration deadline) {
    return new OnlineOffers.Limits(
        deadline, HALF_A_MINUTE, Duration.ofSeconds(5), Duration.ofMinutes(1));
  }
}
