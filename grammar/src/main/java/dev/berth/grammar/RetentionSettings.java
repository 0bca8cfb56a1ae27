package dev.berth.grammar;

import dev.berth.model.config.ServerConfiguration.Retention;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** For how long the server keeps what nobody needs any more. */
final class RetentionSettings {
  private static final String EVENTS = "events";
  private static final String KEYS = "idempotency-keys";
  private static final String ACTIONS = "finished-actions";

  /** Whoever repeats a request does so within a day. */
  private static final Duration SHORTEST = Duration.ofDays(1);

  private static final Duration LONGEST = Duration.ofDays(36_500);

  static final RecordShape<Retention> RETENTION =
      RecordShape.of(Retention.class)
          .with(
              new Field<>(EVENTS, Durations.DURATION, "for how long events can be read")
                  .nullable()
                  .orElse(Retention.USUAL.events()))
          .with(
              new Field<>(
                      KEYS,
                      Durations.DURATION,
                      "for how long a repeated request is known by its Idempotency-Key")
                  .nullable()
                  .orElse(Retention.USUAL.idempotencyKeys()))
          .with(
              new Field<>(
                      ACTIONS,
                      Durations.DURATION,
                      "for how long it is kept what was done at providers")
                  .nullable()
                  .orElse(Retention.USUAL.finishedActions()))
          .check(
              List.of(EVENTS),
              (value, findings) -> check(EVENTS, value, Retention::events, findings))
          .check(
              List.of(KEYS),
              (value, findings) -> check(KEYS, value, Retention::idempotencyKeys, findings))
          .check(
              List.of(ACTIONS),
              (value, findings) -> check(ACTIONS, value, Retention::finishedActions, findings));

  private RetentionSettings() {}

  private static void check(
      String field, Retention value, Function<Retention, Duration> time, Check.Findings findings) {
    Duration kept = time.apply(value);
    if (kept.compareTo(SHORTEST) < 0 || kept.compareTo(LONGEST) > 0) {
      findings.error(
          Rule.RETENTION,
          field,
          "it is kept from 1d to 36500d; the default is "
              + time.apply(Retention.USUAL).toDays()
              + "d");
    }
  }
}
