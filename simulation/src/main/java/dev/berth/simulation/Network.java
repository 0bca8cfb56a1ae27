package dev.berth.simulation;

import dev.berth.simulation.plan.Dice;
import dev.berth.simulation.plan.Plan;
import dev.berth.simulation.plan.Trouble;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How long everything takes on its way, and what is lost there. */
final class Network {
  private static final Duration USUAL = Duration.ofMillis(300);

  private final Dice dice;
  private final Map<Long, Trouble.SlowCall> slowCalls = new HashMap<>();
  private final Map<Long, Trouble.CrashWithCall> crashes = new HashMap<>();
  private final Map<Long, Duration> silentCalls = new HashMap<>();
  private final Map<Long, Duration> slowWords = new HashMap<>();
  private final Map<Long, Duration> slowOffers = new HashMap<>();
  private final Set<Long> lostReplies = new HashSet<>();
  private long calls;
  private long words;
  private long replies;
  private long lookUps;

  Network(Plan plan) {
    this.dice = Dice.of(plan.seed(), "network");
    for (Trouble trouble : plan.troubles()) {
      switch (trouble) {
        case Trouble.SlowCall slow -> slowCalls.put(slow.number(), slow);
        case Trouble.SilentCall silent -> silentCalls.put(silent.number(), silent.back());
        case Trouble.SlowWord slow -> slowWords.put(slow.number(), slow.delay());
        case Trouble.LostReply lost -> lostReplies.add(lost.number());
        case Trouble.CrashWithCall crash -> crashes.put(crash.number(), crash);
        case Trouble.SlowOffers slow -> slowOffers.put(slow.number(), slow.delay());
        case Trouble.Crash _, Trouble.TakeOver _, Trouble.FailedCommit _, Trouble.HostAway _ -> {}
      }
    }
  }

  /**
   * The way of a call.
   *
   * @param silent whether its answer never comes
   * @param crash where the server dies while it is on its way; otherwise null
   */
  record Way(
      Duration there, Duration back, boolean silent, Trouble.@Nullable CrashWithCall crash) {}

  /** The way of the next call that is handed over. */
  Way nextCall() {
    Duration there = usual();
    Duration back = usual();
    Trouble.SlowCall slow = slowCalls.get(++calls);
    Trouble.CrashWithCall crash = crashes.get(calls);
    Duration silent = silentCalls.get(calls);
    Duration thereAfterAll = slow == null ? there : slow.there();
    Duration backAfterAll = slow == null ? back : slow.back();
    return new Way(
        crash == null ? thereAfterAll : crash.there(),
        silent == null ? backAfterAll : silent,
        silent != null && silent.isZero(),
        crash);
  }

  /** How long the next word of what was seen takes. */
  Duration nextWord() {
    Duration usual = usual();
    return slowWords.getOrDefault(++words, usual);
  }

  /** How long the next look-up of offers takes; mostly no time. */
  Duration nextLookUp() {
    return slowOffers.getOrDefault(++lookUps, Duration.ZERO);
  }

  /** Whether the next answer to a user is lost. */
  boolean losesNextReply() {
    return lostReplies.contains(++replies);
  }

  Duration usual() {
    return dice.mostlyShort(USUAL);
  }
}
