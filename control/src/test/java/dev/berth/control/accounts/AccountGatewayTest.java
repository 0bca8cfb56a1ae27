package dev.berth.control.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.spi.BackendException;
import dev.berth.spi.CallLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When calls of an account may be made. Time passes only where a test says so. */
@Timeout(60)
final class AccountGatewayTest {
  /** As strict as a provider was seen to be. */
  private static final CallLimits STRICT =
      new CallLimits(2, 1).with(CallLimits.Launches.oneEvery(Duration.ofSeconds(12)));

  private Instant now = Instant.parse("2026-11-01T12:00:00Z");
  private final List<String> made = new ArrayList<>();
  private final List<AccountGateway.Kind> counted = new ArrayList<>();

  private AccountGateway gateway(CallLimits limits) {
    return new AccountGateway("cloud", limits, () -> now, Duration.ZERO, counted::add);
  }

  /** Tries to make a call; how long it is put off, which is nothing where it was made. */
  private Duration attempt(AccountGateway gateway, String key, AccountGateway.Kind kind) {
    try {
      gateway.call(key, kind, () -> made.add(key));
      return Duration.ZERO;
    } catch (BackendException.RateLimited e) {
      return e.delay();
    }
  }

  @Test
  void callsAreCountedThatReachTheProviderAndNoOthers() {
    AccountGateway gateway = gateway(STRICT);
    attempt(gateway, "a", AccountGateway.Kind.LAUNCH);
    attempt(gateway, "b", AccountGateway.Kind.LAUNCH);
    attempt(gateway, "c", AccountGateway.Kind.CHANGE);
    assertThat(counted)
        .as("the second launch was put off")
        .containsExactly(AccountGateway.Kind.LAUNCH, AccountGateway.Kind.CHANGE);
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void everyLaunchGetsATurnOfItsOwnAndIsPutOffOnce() {
    AccountGateway gateway = gateway(STRICT);
    List<Duration> delays = new ArrayList<>();
    for (String key : List.of("a", "b", "c", "d")) {
      delays.add(attempt(gateway, key, AccountGateway.Kind.LAUNCH));
    }
    assertThat(delays).containsExactly(seconds(0), seconds(12), seconds(24), seconds(36));
    now = now.plusSeconds(12);
    assertThat(attempt(gateway, "c", AccountGateway.Kind.LAUNCH))
        .as("who comes early has the same turn still")
        .isEqualTo(seconds(12));
    assertThat(attempt(gateway, "b", AccountGateway.Kind.LAUNCH)).isZero();
    now = now.plusSeconds(12);
    assertThat(attempt(gateway, "c", AccountGateway.Kind.LAUNCH)).isZero();
    assertThat(made).containsExactly("a", "b", "c");
  }

  @Test
  void launchesDoNotHoldUpWhatGivesMachinesBack() {
    AccountGateway gateway = gateway(STRICT);
    for (int i = 0; i < 20; i++) {
      attempt(gateway, "launch " + i, AccountGateway.Kind.LAUNCH);
    }
    assertThat(attempt(gateway, "delete", AccountGateway.Kind.CHANGE)).isZero();
  }

  @Test
  void looksKeepTheRateAndCountWhatChanges() {
    AccountGateway gateway = gateway(new CallLimits(2, 2));
    assertThat(attempt(gateway, "one", AccountGateway.Kind.READ)).isZero();
    assertThat(attempt(gateway, "delete", AccountGateway.Kind.CHANGE)).isZero();
    assertThat(attempt(gateway, "two", AccountGateway.Kind.READ)).isEqualTo(Duration.ofMillis(500));
    now = now.plusMillis(500);
    assertThat(attempt(gateway, "two", AccountGateway.Kind.READ)).isZero();
  }

  @Test
  void aProviderThatAsksForPatienceGetsItFromTheWholeAccount() {
    AccountGateway gateway = gateway(CallLimits.USUAL);
    BackendException.RateLimited refusal =
        new BackendException.RateLimited("slow down", seconds(30));
    assertThatThrownBy(
            () ->
                gateway.read(
                    () -> {
                      throw refusal;
                    }))
        .isSameAs(refusal);
    assertThat(attempt(gateway, "create", AccountGateway.Kind.LAUNCH)).isEqualTo(seconds(30));
    assertThat(attempt(gateway, "delete", AccountGateway.Kind.CHANGE)).isEqualTo(seconds(30));
    assertThat(attempt(gateway, "look", AccountGateway.Kind.READ))
        .as("looks come after what changes")
        .isEqualTo(seconds(31));
    now = now.plusSeconds(30);
    assertThat(attempt(gateway, "delete", AccountGateway.Kind.CHANGE)).isZero();
    assertThat(attempt(gateway, "create", AccountGateway.Kind.LAUNCH)).isZero();
    now = now.plusSeconds(1);
    assertThat(attempt(gateway, "look", AccountGateway.Kind.READ)).isZero();
  }

  @Test
  void patienceOfDaysIsNoPatience() {
    AccountGateway gateway = gateway(CallLimits.USUAL);
    attempt(gateway, Duration.ofDays(1));
    assertThat(attempt(gateway, "delete", AccountGateway.Kind.CHANGE))
        .isEqualTo(Duration.ofMinutes(10));
  }

  private static void attempt(AccountGateway gateway, Duration delay) {
    assertThatThrownBy(
            () ->
                gateway.read(
                    () -> {
                      throw new BackendException.RateLimited("slow down", delay);
                    }))
        .isInstanceOf(BackendException.RateLimited.class);
  }

  @Test
  void whoHadATurnKeepsItsPlaceInLine() {
    AccountGateway gateway = gateway(new CallLimits(2, 100).with(STRICT.launches()));
    for (String key : List.of("a", "b", "c")) {
      attempt(gateway, key, AccountGateway.Kind.LAUNCH);
    }
    attempt(gateway, seconds(60));
    assertThat(attempt(gateway, "c", AccountGateway.Kind.LAUNCH)).isEqualTo(seconds(72));
    assertThat(attempt(gateway, "b", AccountGateway.Kind.LAUNCH)).isEqualTo(seconds(60));
  }

  @Test
  void aClockThatWasSetBackHoldsUpNobody() {
    AccountGateway gateway = gateway(STRICT);
    attempt(gateway, "a", AccountGateway.Kind.LAUNCH);
    now = now.minus(Duration.ofHours(5));
    assertThat(attempt(gateway, "b", AccountGateway.Kind.LAUNCH)).isZero();
  }

  @Test
  void noMoreCallsAreUnderWayThanTheProviderTakes() throws Exception {
    AccountGateway gateway = gateway(new CallLimits(1, 1000));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Thread first =
        Thread.ofVirtual()
            .start(
                () ->
                    gateway.read(
                        () -> {
                          inside.countDown();
                          return await(go);
                        }));
    assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> gateway.read(() -> true))
        .isInstanceOf(BackendException.RateLimited.class)
        .hasMessageContaining("takes 1 calls at a time");
    go.countDown();
    first.join();
    assertThat(gateway.read(() -> true)).isTrue();
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCallWhoseTurnIsNearWaitsForIt() {
    AccountGateway gateway =
        new AccountGateway(
            "cloud", new CallLimits(4, 100), Instant::now, Duration.ofSeconds(30), _ -> {});
    long began = System.nanoTime();
    for (int i = 0; i < 110; i++) {
      gateway.read(() -> true);
    }
    // After the first hundred, which may come at once, one in ten milliseconds.
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(80));
  }
}
