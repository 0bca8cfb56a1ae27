package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.control.FailPoint;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.model.Member;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is let in, and for how long; changes come from another server. */
class AuthenticatorTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final String HOME = "0123456789abcdef";
  private static final String SECRET = "berth_secret";
  private static final String HERE = "192.0.2.1";

  private volatile Instant now = NOON;
  private final InstantSource clock = () -> now;
  private final Ledger ledger = new InMemoryLedger();

  /** The other server, which changes things behind our back. */
  private final ControlPlane other =
      new ControlPlane(
          ledger,
          ledger.takeOver(Ledger.MAIN_REALM, "other"),
          new Owner("0123456789abcdef"),
          Map.of(),
          name -> name,
          clock,
          FailPoint.Observer.NONE);

  private final Authenticator authenticator =
      new Authenticator(new AccessStore(ledger), HOME, "root", clock);

  @BeforeEach
  void start() {
    other.start();
    tell(new Message.Access.Ensure("root", "main"));
    tell(new Message.Access.MakeUser("ann", User.Role.USER, "root"));
    tell(new Message.Access.PutMember("main", "ann", Member.Role.USER, "root", Member.Role.ADMIN));
  }

  @AfterEach
  void stop() {
    other.close();
    ledger.close();
  }

  private void tell(Message.Access message) {
    assertThat(other.send(Envelope.of(message)).join()).isInstanceOf(Reply.Accepted.class);
  }

  private void issue(String id, @Nullable Instant expires) {
    tell(
        new Message.Access.IssueToken(
            id, "ann", id, Tokens.sha256(SECRET), Token.Scope.UNLIMITED, expires, "root"));
  }

  private Caller caller(String secret) {
    return authenticator.caller("Bearer " + secret, HERE);
  }

  private static void assertStatus(int status, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.status()).isEqualTo(status));
  }

  @Test
  void theTokenOfTheHomeFolderIsTheAdminsWhateverTheLedgerSays() {
    assertThat(caller(HOME)).isEqualTo(Caller.admin("root"));
    assertThat(caller(HOME).isGlobalAdmin()).isTrue();
  }

  @Test
  void aTokenIsItsUserWithTheRolesOfTheMoment() {
    issue("t1", null);
    assertThat(caller(SECRET))
        .isEqualTo(
            new Caller(
                "ann",
                User.Role.USER,
                Token.Scope.UNLIMITED,
                Map.of("main", Member.Role.USER),
                "t1"));
  }

  @Test
  void whatIsNoTokenIsRefused() {
    assertStatus(401, () -> authenticator.caller(null, HERE));
    assertStatus(401, () -> authenticator.caller("Basic " + HOME, HERE));
    assertStatus(401, () -> caller(""));
    // A hash is not a secret.
    issue("t1", null);
    assertStatus(401, () -> caller(Tokens.sha256(SECRET)));
    assertStatus(401, () -> caller(Tokens.sha256(HOME)));
  }

  @Test
  void aTokenThatAnotherServerRevokedStopsWithinFiveSeconds() {
    issue("t1", null);
    caller(SECRET);
    tell(new Message.Access.RevokeToken("t1", "root"));
    now = NOON.plusMillis(4_999);
    assertThat(caller(SECRET).user()).isEqualTo("ann");
    now = NOON.plusSeconds(5);
    assertStatus(401, () -> caller(SECRET));
  }

  @Test
  void requestsDoNotKeepARevokedTokenAlive() {
    issue("t1", null);
    caller(SECRET);
    tell(new Message.Access.RevokeToken("t1", "root"));
    for (int i = 1; i < 5; i++) {
      now = NOON.plusSeconds(i);
      caller(SECRET);
    }
    now = NOON.plusSeconds(5);
    assertStatus(401, () -> caller(SECRET));
  }

  @Test
  void aChangeHereCountsAtOnce() {
    issue("t1", null);
    caller(SECRET);
    tell(new Message.Access.RevokeToken("t1", "root"));
    authenticator.forget();
    assertStatus(401, () -> caller(SECRET));
  }

  @Test
  void anExpiredTokenStopsAtItsMomentAlsoWhenItIsKnown() {
    issue("t1", NOON.plusMillis(1_500));
    assertThat(caller(SECRET).user()).isEqualTo("ann");
    now = NOON.plusMillis(1_499);
    assertThat(caller(SECRET).user()).isEqualTo("ann");
    now = NOON.plusMillis(1_500);
    assertStatus(401, () -> caller(SECRET));
  }

  @Test
  void aDeletedUserIsOutWithinFiveSeconds() {
    issue("t1", null);
    caller(SECRET);
    tell(new Message.Access.DeleteUser("ann", "root"));
    now = NOON.plusSeconds(5);
    assertStatus(401, () -> caller(SECRET));
  }

  @Test
  void aClockThatIsSetBackMakesNothingLastLonger() {
    issue("t1", null);
    caller(SECRET);
    tell(new Message.Access.RevokeToken("t1", "root"));
    now = NOON.minusSeconds(3_600);
    assertStatus(401, () -> caller(SECRET));
  }

  @Test
  void tooManyWrongTokensHaveToWaitUntilTheMinuteIsOverAndKeepNobodyElseOut() {
    issue("t1", null);
    for (int i = 0; i < FailedLogins.MOST; i++) {
      assertStatus(401, () -> caller("wrong"));
    }
    now = NOON.plusSeconds(20);
    assertThatThrownBy(() -> caller("wrong"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.status()).isEqualTo(429);
              assertThat(e.headers()).containsEntry("Retry-After", "40");
            });
    assertStatus(401, () -> authenticator.caller("Bearer wrong", "192.0.2.2"));
    // A proxy may have made one address of all of them.
    assertThat(caller(SECRET).user()).isEqualTo("ann");
    assertThat(caller(HOME).isGlobalAdmin()).isTrue();
    now = NOON.plusSeconds(60);
    assertStatus(401, () -> caller("wrong"));
  }

  @Test
  void aTokenThatIsMissingIsNotCounted() {
    for (int i = 0; i < 3 * FailedLogins.MOST; i++) {
      assertStatus(401, () -> authenticator.caller(null, HERE));
    }
  }

  @Test
  void failuresOfAWholeBlockCountTogetherAndOldOnesAreForgotten() {
    FailedLogins failures = new FailedLogins(clock);
    for (int i = 0; i < FailedLogins.MOST; i++) {
      failures.add("2001:db8::" + Integer.toHexString(i + 1));
    }
    assertThat(failures.waitOf("2001:db8::ffff")).isEqualTo(Duration.ofMinutes(1));
    assertThat(failures.waitOf("2001:db8:0:1::1")).isZero();
    for (int i = 0; i < FailedLogins.MOST_ADDRESSES + 100; i++) {
      failures.add("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
    }
    assertThat(failures.addresses()).isEqualTo(FailedLogins.MOST_ADDRESSES);
  }

  @Test
  void onlySoMuchIsRemembered() {
    Recent<String> recent = new Recent<>(clock, Duration.ofSeconds(5), 3);
    for (int i = 0; i < 10; i++) {
      recent.find("key-" + i, Optional::of);
    }
    assertThat(recent.size()).isEqualTo(3);
  }

  @Test
  void whatWasReadBeforeAChangeIsNotKeptAfterIt() {
    Recent<String> recent = new Recent<>(clock, Duration.ofSeconds(5), 3);
    recent.find(
        "key",
        _ -> {
          recent.forget();
          return Optional.of("old");
        });
    assertThat(recent.find("key", _ -> Optional.of("new"))).contains("new");
  }
}
