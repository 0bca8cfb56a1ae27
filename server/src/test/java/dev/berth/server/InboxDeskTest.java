package dev.berth.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.Inbox;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a desk does with an inbox that misbehaves, or has much in it. */
@Timeout(60)
class InboxDeskTest {
  private final Keyring keys =
      new Keyring(List.of(Keyring.Key.aes(new byte[Keyring.Key.BYTES])), new SecureRandom());
  private final Tenure tenure = new Tenure(Ledger.MAIN_REALM, "me", 1, 0);

  /** One in memory, whose looks a test can meddle with. */
  private class TestInbox implements Inbox {
    final ConcurrentSkipListMap<String, String> asked = new ConcurrentSkipListMap<>();
    final ConcurrentSkipListMap<String, String> answered = new ConcurrentSkipListMap<>();
    final Semaphore bell = new Semaphore(0);
    final Semaphore answers = new Semaphore(0);

    void ask(String id) {
      Passed passed =
          Passed.of(
              new Passed.Request(
                  "GET", "/" + id, Map.of(), id, null, null, new byte[0], null, null));
      ask(
          Ledger.MAIN_REALM,
          id,
          keys.seal(ApiJson.MAPPER.writeValueAsString(passed), PassingOn.REQUEST, id));
    }

    @Override
    public void ask(String realm, String id, String request) {
      asked.put(id, request);
      bell.release();
    }

    @Override
    public Optional<String> awaitAnswer(String realm, String id, Duration timeout) {
      Await.until(() -> answered.containsKey(id));
      return Optional.ofNullable(answered.get(id));
    }

    @Override
    public void forget(String realm, String id) {
      asked.remove(id);
    }

    @Override
    public List<String> unanswered(String realm, Duration oldest, int atMost) {
      return asked.keySet().stream().filter(id -> !answered.containsKey(id)).limit(atMost).toList();
    }

    @Override
    public Optional<String> findRequest(String realm, String id) {
      return Optional.ofNullable(asked.get(id));
    }

    @Override
    public void awaitAsked(Duration timeout) {
      try {
        if (bell.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
          bell.drainPermits();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void answer(Tenure by, String id, String answer) {
      answered.putIfAbsent(id, answer);
      answers.release();
    }

    @Override
    public int clear(Tenure by, Duration olderThan) {
      return 0;
    }
  }

  private InboxDesk desk(Inbox inbox, Function<Passed, Answer> answers) {
    InboxDesk desk = new InboxDesk(inbox, keys, () -> tenure, answers);
    desk.start();
    return desk;
  }

  private static Answer ok(Passed passed) {
    return new Answer(
        200, Map.of(), "text/plain", String.valueOf(passed.request()).getBytes(UTF_8));
  }

  @Test
  void aLookThatFailsIsNotTheLastOne() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    TestInbox inbox =
        new TestInbox() {
          @Override
          public List<String> unanswered(String realm, Duration oldest, int atMost) {
            int look = looks.getAndIncrement();
            if (look == 0) {
              throw new IllegalStateException("a fault");
            }
            if (look == 1) {
              throw new OutOfMemoryError("a large one");
            }
            return super.unanswered(realm, oldest, atMost);
          }
        };
    inbox.ask("a");
    try (InboxDesk _ = desk(inbox, InboxDeskTest::ok)) {
      inbox.answers.acquire();
    }
    assertThat(inbox.answered).containsOnlyKeys("a");
  }

  @Test
  void whatIsAnsweredDuringALookIsNotDoneAgain() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    CountDownLatch looking = new CountDownLatch(1);
    TestInbox inbox =
        new TestInbox() {
          @Override
          public List<String> unanswered(String realm, Duration oldest, int atMost) {
            List<String> seen = super.unanswered(realm, oldest, atMost);
            if (looks.getAndIncrement() == 1) {
              // The answer comes after the rows were read, and before they are gone through.
              looking.countDown();
              answers.acquireUninterruptibly();
              Await.until(() -> super.unanswered(realm, oldest, atMost).isEmpty());
            }
            return seen;
          }
        };
    List<String> done = new ArrayList<>();
    inbox.ask("a");
    try (InboxDesk _ =
        desk(
            inbox,
            passed -> {
              synchronized (done) {
                done.add(passed.request() == null ? "" : passed.request().key());
              }
              try {
                looking.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return ok(passed);
            })) {
      looking.await();
      Await.until(() -> looks.get() > 2);
      inbox.ask("b");
      inbox.answers.acquire();
    }
    assertThat(done).containsExactly("a", "b");
  }

  @Test
  void followersThatWaitTakeNobodysPlace() throws Exception {
    TestInbox inbox = new TestInbox();
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(2 * InboxDesk.AT_ONCE);
    Map<JobRuntime.Stream, JobRuntime.Output> pieces =
        Map.of(
            JobRuntime.Stream.STDOUT,
            new JobRuntime.Output("out".getBytes(UTF_8), 3, false),
            JobRuntime.Stream.STDERR,
            new JobRuntime.Output(new byte[0], 7, true));
    try (InboxDesk _ =
            desk(
                inbox,
                passed -> {
                  if (passed.follow() == null) {
                    return ok(passed);
                  }
                  assertThat(passed.follow().offsets())
                      .containsOnly(
                          Map.entry(JobRuntime.Stream.STDOUT, 0L),
                          Map.entry(JobRuntime.Stream.STDERR, 7L));
                  waiting.countDown();
                  try {
                    written.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  return Answer.json(200, new Passed.Pieces(pieces));
                });
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Map<JobRuntime.Stream, JobRuntime.Output>>> followers = new ArrayList<>();
      for (int i = 0; i < 2 * InboxDesk.AT_ONCE; i++) {
        followers.add(
            threads.submit(
                () ->
                    new PassingOn(inbox, keys)
                        .readAll(
                            PassedOutputsTest.running(),
                            Map.of(JobRuntime.Stream.STDOUT, 0L, JobRuntime.Stream.STDERR, 7L),
                            100)));
      }
      waiting.await();
      assertThat(inbox.asked).as("one question for both streams").hasSize(followers.size());
      inbox.ask("command");
      inbox.answers.acquire();
      assertThat(inbox.answered).containsOnlyKeys("command");
      written.countDown();
      for (var follower : followers) {
        assertThat(PassedOutputsTest.piece(follower.get(), JobRuntime.Stream.STDOUT).bytes())
            .isEqualTo("out".getBytes(UTF_8));
        assertThat(PassedOutputsTest.piece(follower.get(), JobRuntime.Stream.STDERR).nextOffset())
            .isEqualTo(7);
      }
    }
  }

  @Test
  void whoIsSentAwayInTheMiddleOfACallOfTheDatabaseIsToldToAskAgain() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    TestInbox inbox =
        new TestInbox() {
          @Override
          public Optional<String> awaitAnswer(String realm, String id, Duration timeout) {
            called.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              // As a pool of connections does it.
              throw new LedgerException(LedgerException.Code.INTERNAL, "interrupted", e);
            }
            return Optional.empty();
          }
        };
    PassingOn passing = new PassingOn(inbox, keys);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<JobRuntime.Output> asked =
          threads.submit(
              () -> passing.read(PassedOutputsTest.running(), JobRuntime.Stream.STDOUT, 0, 100));
      called.await();
      passing.sendAway();
      assertThatThrownBy(asked::get)
          .cause()
          .isInstanceOf(BackendException.Transient.class)
          .hasMessage("the active server has not answered");
    }
  }

  @Test
  void soManyAreWorkedAtAtOnceAndNoMore() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    TestInbox inbox =
        new TestInbox() {
          @Override
          public List<String> unanswered(String realm, Duration oldest, int atMost) {
            looks.incrementAndGet();
            return super.unanswered(realm, oldest, atMost);
          }
        };
    int requests = 3 * InboxDesk.AT_ONCE;
    for (int i = 0; i < requests; i++) {
      inbox.ask("q" + i);
    }
    try (InboxDesk _ =
        desk(
            inbox,
            passed -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              try {
                go.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              now.decrementAndGet();
              return ok(passed);
            })) {
      // A second look has ended, so that it had the chance to begin with more.
      Await.until(() -> now.get() >= InboxDesk.AT_ONCE && looks.get() >= 3);
      go.countDown();
      inbox.answers.acquire(requests);
    }
    assertThat(most.get()).isEqualTo(InboxDesk.AT_ONCE);
    assertThat(inbox.answered).hasSize(requests);
  }
}
