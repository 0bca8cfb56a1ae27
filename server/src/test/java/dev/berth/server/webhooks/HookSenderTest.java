package dev.berth.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Webhook;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.server.Receiver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HookSenderTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  /** Soon gives up an event, and waits for an answer as long as any machine takes to give one. */
  private static final Patience SHORT = patience(Duration.ofSeconds(60));

  private static Patience patience(Duration answerWithin) {
    return new Patience(
        Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(100), answerWithin);
  }

  @TempDir Path folder = Path.of("");

  private static EventView event(long seq, String kind, String project) {
    return new EventView(seq, NOON, kind, "run", "r1", project, "ann", Map.of());
  }

  private static ServerConfiguration.Webhook hook(
      String url, @Nullable List<String> kinds, @Nullable List<String> projects) {
    return new ServerConfiguration.Webhook("chat", url, "hook.key", kinds, projects);
  }

  /** A fixed list of events; remembers what is kept. */
  private static final class Listed implements HookEvents {
    private final List<EventView> all;
    private final List<String> kept = new ArrayList<>();
    private final CountDownLatch done = new CountDownLatch(1);

    Listed(EventView... events) {
      this.all = List.of(events);
    }

    @Override
    public Webhook begin(String name) {
      return new Webhook(name, 0, 0, NOON);
    }

    @Override
    public List<Webhook> kept() {
      return List.of();
    }

    @Override
    public synchronized void keep(String name, long seq, long skipped) {
      kept.add(seq + " skipped " + skipped);
      if (seq == all.getLast().seq()) {
        done.countDown();
      }
    }

    @Override
    public void forget(String name) {
      throw new AssertionError("nothing is kept");
    }

    @Override
    public long trimmed() {
      return all.getFirst().seq() - 1;
    }

    @Override
    public EventList after(long seq, int limit) {
      List<EventView> later = all.stream().filter(event -> event.seq() > seq).toList();
      return new EventList(later, later.isEmpty() ? seq : later.getLast().seq());
    }

    @Override
    public void await(long seq, Duration atMost) throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  private static final HookCounts NOBODY =
      new HookCounts() {
        @Override
        public void sent(String webhook) {}

        @Override
        public void failed(String webhook) {}

        @Override
        public void skipped(String webhook) {}

        @Override
        public void newSeq(String webhook, long seq) {}
      };

  /** A clock on which time passes by being asked, so that nothing depends on the machine. */
  private static final class AskedClock implements InstantSource {
    private final AtomicLong asked = new AtomicLong();

    @Override
    public Instant instant() {
      return NOON.plusMillis(10 * asked.incrementAndGet());
    }
  }

  private List<String> follow(Listed events, String url) throws Exception {
    return follow(events, url, SHORT);
  }

  private List<String> follow(Listed events, String url, Patience patience) throws Exception {
    Files.writeString(folder.resolve("hook.key"), "key\n");
    try (Webhooks hooks =
        new Webhooks(events, folder, "tests", patience, NOBODY, new AskedClock())) {
      hooks.apply(List.of(hook(url, List.of("run.*"), null)));
      assertThat(events.done.await(60, TimeUnit.SECONDS)).isTrue();
    }
    return events.kept;
  }

  @Test
  void anEventThatIsNotTakenForLongIsSkippedAndTheNextIsSent() throws Exception {
    try (Receiver receiver = new Receiver()) {
      Listed events = new Listed(event(1, "run.status", "main"), event(2, "run.ended", "main"));
      receiver.answering(
          number -> receiver.heard().stream().anyMatch(one -> one.seq() == 2) ? 200 : 500);
      List<String> kept = follow(events, receiver.url());
      assertThat(kept.getFirst()).isEqualTo("1 skipped 1");
      assertThat(receiver.heard().stream().filter(one -> one.seq() == 1).count()).isGreaterThan(2);
      assertThat(receiver.taken()).extracting(Receiver.Heard::seq).containsOnly(2L);
    }
  }

  @Test
  void eventsThatAreNotKeptAnyMoreAreSkippedAndCounted() throws Exception {
    try (Receiver receiver = new Receiver()) {
      Listed events = new Listed(event(5, "run.ended", "main"));
      assertThat(follow(events, receiver.url())).containsExactly("4 skipped 4", "5 skipped 0");
      assertThat(receiver.taken()).extracting(Receiver.Heard::seq).containsExactly(5L);
    }
  }

  @Test
  void aReceiverThatNeverAnswersCountsAsOneThatRefuses() throws Exception {
    try (Receiver receiver = new Receiver()) {
      receiver.answering(_ -> 0);
      Listed events = new Listed(event(1, "run.ended", "main"));
      assertThat(follow(events, receiver.url(), patience(Duration.ofSeconds(1))))
          .containsExactly("1 skipped 1");
    }
  }

  @Test
  void nobodyWaitsForTheBodyOfAnAnswer() throws Exception {
    try (Receiver receiver = new Receiver()) {
      receiver.answering(_ -> Receiver.ENDLESS);
      Listed events = new Listed(event(1, "run.status", "main"), event(2, "run.ended", "main"));
      assertThat(follow(events, receiver.url())).last().isEqualTo("2 skipped 0");
      assertThat(receiver.taken()).extracting(Receiver.Heard::seq).containsExactly(1L, 2L);
    }
  }

  @Test
  void pausesGrowUpToTheLongest() {
    assertThat(Patience.USUAL.pause(1)).isEqualTo(Duration.ofSeconds(1));
    assertThat(Patience.USUAL.pause(4)).isEqualTo(Duration.ofSeconds(8));
    assertThat(Patience.USUAL.pause(10)).isEqualTo(Duration.ofMinutes(5));
    assertThat(Patience.USUAL.pause(10_000)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void kindsAndProjectsSelectAndOwnEventsAreNeverSent() {
    HookFilter some = new HookFilter(hook("http://a", List.of("run.*", "fleet.deleted"), null));
    assertThat(some.matches(event(1, "run.ended", "main"))).isTrue();
    assertThat(some.matches(event(1, "fleet.deleted", "main"))).isTrue();
    assertThat(some.matches(event(1, "fleet.updated", "main"))).isFalse();
    // A dot stands for itself.
    assertThat(some.matches(event(1, "runs", "main"))).isFalse();
    HookFilter all = new HookFilter(hook("http://a", null, null));
    assertThat(all.matches(event(1, "user.created", ""))).isTrue();
    assertThat(all.matches(event(1, "webhook.skipped", ""))).isFalse();
    HookFilter lab = new HookFilter(hook("http://a", null, List.of("lab")));
    assertThat(lab.matches(event(1, "run.ended", "lab"))).isTrue();
    assertThat(lab.matches(event(1, "run.ended", "main"))).isFalse();
    assertThat(lab.matches(event(1, "user.created", ""))).isFalse();
  }

  /** The example of the Standard Webhooks specification. */
  @Test
  void signaturesAreThoseOfTheStandard() {
    assertThat(
            Signature.of(
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                1_614_265_330,
                "{\"test\": 2432232314}"))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }
}
